import { parameters } from '../app/parameters';
import { withChanges, type ModelParameters, type ParameterChanges, type ParameterName } from '../conversation/model-parameters';
import { beginning } from './beginning';
import { Live } from './live.svelte';
import { reportFailure } from './notices.svelte';
import { source } from './source.svelte';

/** The parameters of all chats that set none themselves. */
export const defaults = new Live(() => parameters.get());

/** Changes parameters of all chats that do not set them themselves. */
export function changeDefaults(changes: ParameterChanges): Promise<void> {
	return reportFailure(() => parameters.change(changes));
}

/** The parameters of one chat, or of a new one. */
export class ChatParameters {
	private readonly live: Live<ModelParameters> | undefined;
	/** The parameters that the model takes that answers next; undefined while that is not known. */
	taken = $state.raw<readonly ParameterName[] | undefined>();

	constructor(private readonly sessionId: string | undefined) {
		this.live = sessionId === undefined ? undefined : new Live(() => parameters.get(sessionId));
		$effect(() => {
			const { current } = source;
			if (current) void parameters.takenBy(current).then((names) => (this.taken = names), () => undefined);
		});
	}

	/** Those that the chat sets itself; undefined while loading. */
	get own(): ModelParameters | undefined {
		return this.live ? this.live.current : (beginning.current.parameters ?? {});
	}

	change(changes: ParameterChanges): Promise<void> {
		return reportFailure(() => {
			if (this.sessionId !== undefined) return parameters.change(changes, this.sessionId);
			beginning.change({ parameters: withChanges(beginning.current.parameters, changes) });
			return Promise.resolve();
		});
	}
}
