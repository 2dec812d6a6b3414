import * as v from 'valibot';
import { strategyNames } from '../../conversation/boundary';
import { contextLimits, windowLimits } from '../../conversation/context-limits';
import type { ContextOverrides } from '../../conversation/context-settings';
import type { Assert, Same } from './definition';
import { text, within } from './fields';

export const contextOverrides = v.object({
	contextMessages: v.exactOptional(within(v.number(), contextLimits.contextMessages)),
	contextWindows: v.exactOptional(v.record(text, within(v.number(), windowLimits))),
	responseReserve: v.exactOptional(within(v.number(), contextLimits.responseReserve)),
	minRecent: v.exactOptional(within(v.number(), contextLimits.minRecent)),
	autoCompact: v.exactOptional(v.boolean()),
	compactAtShare: v.exactOptional(within(v.number(), contextLimits.compactAtShare)),
	cheapMessages: v.exactOptional(within(v.number(), contextLimits.cheapMessages)),
	cheapBytes: v.exactOptional(within(v.number(), contextLimits.cheapBytes)),
	summaryMessages: v.exactOptional(within(v.number(), contextLimits.summaryMessages)),
	summaryTokens: v.exactOptional(within(v.number(), contextLimits.summaryTokens)),
	strategy: v.exactOptional(v.picklist(strategyNames))
});

type _ContextOverridesAgrees = Assert<Same<v.InferOutput<typeof contextOverrides>, ContextOverrides>>;
