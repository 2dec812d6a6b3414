import { withChanges, type ModelParameters, type ParameterChanges } from '../conversation/model-parameters';
import { AppError } from '../shared/app-error';
import type { Database } from './database';
import type { SessionSettingsRow } from './tables/session-settings';
import type { Source } from './tables/source';

/** Choices of the user for one chat, a row each. Any tab may write them: they replace no one's words. */
export class SessionSettings {
	constructor(private readonly db: Database) {}

	get(sessionId: string): Promise<SessionSettingsRow | undefined> {
		return this.db.sessionSettings.get(sessionId);
	}

	/** Has this model answer in the chat. Throws an AppError where the chat is gone. */
	setSourceUnfenced(sessionId: string, source: Source): Promise<void> {
		return this.changeUnfenced(sessionId, (row) => ({ ...row, source }));
	}

	/** Sets all parameters of the chat's own; of those that are not among them the defaults count. Throws as `setSourceUnfenced` does. */
	setParametersUnfenced(sessionId: string, parameters: ModelParameters): Promise<void> {
		return this.changeUnfenced(sessionId, ({ parameters: _, ...row }) => (Object.keys(parameters).length === 0 ? row : { ...row, parameters }));
	}

	/** Changes these parameters of the chat's own, and leaves the others as they are by then. Throws as `setSourceUnfenced` does. */
	changeParametersUnfenced(sessionId: string, changes: ParameterChanges): Promise<void> {
		return this.changeUnfenced(sessionId, ({ parameters: before, ...row }) => {
			const parameters = withChanges(before, changes);
			return parameters ? { ...row, parameters } : row;
		});
	}

	/** Stores what `change` makes of the choices for a chat. Throws as `setSourceUnfenced` does. */
	changeUnfenced(sessionId: string, change: (row: SessionSettingsRow) => SessionSettingsRow): Promise<void> {
		const { sessionSettings, sessions } = this.db;
		return this.db.transaction('rw', sessionSettings, sessions, async () => {
			if (!(await sessions.get(sessionId))) throw new AppError('session-absent', 'This chat is no longer there, so nothing was written.');
			await putSessionSettings(this.db, change((await sessionSettings.get(sessionId)) ?? { sessionId }));
		});
	}
}

/** Stores a row; one that says nothing is none. Part of the running transaction. */
export async function putSessionSettings({ sessionSettings }: Database, row: SessionSettingsRow): Promise<void> {
	await (Object.keys(row).length === 1 ? sessionSettings.delete(row.sessionId) : sessionSettings.put(row));
}
