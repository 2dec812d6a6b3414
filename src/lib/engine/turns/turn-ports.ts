import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Usage } from '../../conversation/message';
import type { Surface } from '../../conversation/session';
import type { Clock } from '../../shared/clock';
import type { AnswerTails } from '../../storage/answer-tails';
import type { Database } from '../../storage/database';
import type { Source } from '../../storage/tables/source';
import type { AnswerSource } from '../providers/answer-source';
import type { ChatBeginning } from './chat-beginning';
import type { ContextPlanner } from './context-planner';
import type { ContextView } from './context-view';
import type { TurnEvent } from './turn';
import type { Writers } from './writers';

/** Ports that the turns of this tab need. */
export interface TurnPorts {
	db: Database;
	locks: LockManager;
	writers: Writers;
	newId: () => string;
	clock: Clock;
	surface: Surface;
	/** Resolves where answers of a chat, or of a new one, come from now; undefined where nothing is chosen. */
	source: (sessionId?: string, own?: Source) => Promise<AnswerSource | undefined>;
	/** Choices of the persona that new chats of a workspace begin with, if it has one. */
	beginningIn?: (workspace: string) => Promise<ChatBeginning | undefined>;
	/** Throws AppErrors; may take as long as a model takes to load. */
	openModel: (source: AnswerSource, signal: AbortSignal) => Promise<LanguageModelV4>;
	/** Plans what each turn sends, and knows what may be called. */
	planner: Pick<ContextPlanner, 'view' | 'learnWindow' | 'toolbox'>;
	/** Called before a turn begins, and after one whose answer is whole, with what it sent and what that took. */
	beforeTurn: () => Promise<void>;
	afterTurn: (sessionId: string, sent: ContextView, usage: Usage) => void;
	/** Told of every event, so that other tabs can follow it. */
	publish: (sessionId: string, event: TurnEvent) => void;
	/** Store of the ends of answers that can't be written down now. */
	tails: Pick<AnswerTails, 'get' | 'put' | 'remove'>;
}

/** A turn that has begun. Its events must be read to their end: reading them is what runs it. */
export interface StartedTurn {
	sessionId: string;
	/** The message that it answers. */
	parentId: string;
	events: AsyncGenerator<TurnEvent, void>;
}
