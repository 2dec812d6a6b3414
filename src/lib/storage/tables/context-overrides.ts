import * as v from 'valibot';
import { strategyNames } from '../../conversation/boundary';
import { contextLimits, windowLimits } from '../../conversation/context-limits';
import type { ContextOverrides } from '../../conversation/context-settings';
import type { Assert, Same } from './definition';
import { text } from './fields';

const within = ({ min, max }: { min: number; max: number }) => v.pipe(v.number(), v.minValue(min), v.maxValue(max));

export const contextOverrides = v.object({
	contextMessages: v.exactOptional(within(contextLimits.contextMessages)),
	contextWindows: v.exactOptional(v.record(text, within(windowLimits))),
	responseReserve: v.exactOptional(within(contextLimits.responseReserve)),
	minRecent: v.exactOptional(within(contextLimits.minRecent)),
	autoCompact: v.exactOptional(v.boolean()),
	compactAtShare: v.exactOptional(within(contextLimits.compactAtShare)),
	cheapMessages: v.exactOptional(within(contextLimits.cheapMessages)),
	cheapBytes: v.exactOptional(within(contextLimits.cheapBytes)),
	summaryMessages: v.exactOptional(within(contextLimits.summaryMessages)),
	summaryTokens: v.exactOptional(within(contextLimits.summaryTokens)),
	strategy: v.exactOptional(v.picklist(strategyNames))
});

type _ContextOverridesAgrees = Assert<Same<v.InferOutput<typeof contextOverrides>, ContextOverrides>>;
