import type { ContextOverrides } from '../conversation/context-settings';
import { AppError } from '../shared/app-error';
import type { Database } from './database';
import { requireFence, unfenced, type Fence } from './fence';
import type { SessionContext } from './tables/contexts';

/** One row a session, small. All writes throw an AppError behind a fence, or where the session is gone. */
export class Contexts {
	constructor(private readonly db: Database) {}

	get(sessionId: string): Promise<SessionContext | undefined> {
		return this.db.contexts.get(sessionId);
	}

	/** Tells whether a message is always sent; what is, is not excluded. */
	pin(sessionId: string, messageId: string, wanted: boolean, fence: Fence): Promise<void> {
		return this.change(sessionId, fence, ({ pins, excludes, ...row }) => ({
			...row,
			pins: listed(pins, messageId, wanted),
			excludes: wanted ? listed(excludes, messageId, false) : excludes
		}));
	}

	/** Tells whether a message is never sent; what is not, is not pinned. */
	exclude(sessionId: string, messageId: string, wanted: boolean, fence: Fence): Promise<void> {
		return this.change(sessionId, fence, ({ pins, excludes, ...row }) => ({
			...row,
			pins: wanted ? listed(pins, messageId, false) : pins,
			excludes: listed(excludes, messageId, wanted)
		}));
	}

	/**
	 * Stores all settings of the session's own; those that are not among them are those of the persona, or of everywhere. From any tab, as the
	 * other settings: they replace no one's words.
	 */
	setOverridesUnfenced(sessionId: string, settings: ContextOverrides): Promise<void> {
		return this.change(sessionId, unfenced, (row) => ({ ...row, settings }));
	}

	private change(sessionId: string, fence: Fence, change: (row: SessionContext) => SessionContext): Promise<void> {
		const { contexts, trees, positions } = this.db;
		return this.db.transaction('rw', contexts, trees, positions, async () => {
			const [tree, before] = await Promise.all([trees.get(sessionId), contexts.get(sessionId)]);
			await requireFence(this.db, sessionId, fence);
			if (!tree) throw new AppError('session-absent', 'This chat is no longer there, so nothing was written.');
			const row = change(before ?? { sessionId, pins: [], excludes: [], settings: {} });
			const isEmpty = row.pins.length === 0 && row.excludes.length === 0 && Object.keys(row.settings).length === 0;
			await (isEmpty ? contexts.delete(sessionId) : contexts.put(row));
		});
	}
}

function listed(ids: string[], id: string, wanted: boolean): string[] {
	return wanted === ids.includes(id) ? ids : wanted ? [...ids, id] : ids.filter((other) => other !== id);
}
