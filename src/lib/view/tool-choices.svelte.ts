import { tools } from '../app/tools';
import { switched, toolsInForce } from '../conversation/tool-choices';
import { beginning } from './beginning';
import { Live } from './live.svelte';
import { reportFailure } from './notices.svelte';
import { source } from './source.svelte';

/** The tools of all chats that do not set them. */
export class DefaultTools {
	private readonly live = new Live(() => tools.forAll());
	private readonly steps = new Live(() => tools.maxSteps());
	private readonly unasked = new Live(() => tools.allowed());

	/** Undefined while loading. */
	get names(): readonly string[] | undefined {
		return this.live.current;
	}

	/** Permissions for all chats. */
	get allowed(): readonly string[] {
		return this.unasked.current ?? [];
	}

	/** The number of times that a model is asked in one turn at most; undefined while loading. */
	get maxSteps(): number | undefined {
		return this.steps.current;
	}

	change(name: string, on: boolean): Promise<void> {
		return reportFailure(() => tools.switch(name, on));
	}

	revoke(permission: string): Promise<void> {
		return reportFailure(() => tools.allow(permission, false));
	}

	setMaxSteps(steps: number): Promise<void> {
		return reportFailure(() => tools.setMaxSteps(steps));
	}
}

/** The tools of one chat, or of a new one. */
export class ChatTools {
	/** Those in force in the chat; of a new one, those of all chats. */
	private readonly stored: Live<readonly string[]>;
	private readonly unasked: Live<readonly string[]>;
	private readonly unaskedInAll = new Live(() => tools.allowed());
	/** False where the model that answers next can't be offered tools, null where that could not be found out; undefined until then. */
	taken = $state.raw<boolean | null | undefined>();

	constructor(private readonly sessionId: string | undefined) {
		this.stored = new Live(() => tools.inForce(sessionId));
		this.unasked = new Live(async () => (sessionId === undefined ? [] : tools.allowed(sessionId)));
		$effect(() => {
			const { current } = source;
			let isLatest = true;
			if (current) void tools.takenBy(current).then((taken) => void (isLatest && (this.taken = taken)), () => void (isLatest && (this.taken = null)));
			return () => (isLatest = false);
		});
	}

	/** Undefined while loading. */
	get names(): readonly string[] | undefined {
		const { current } = this.stored;
		return current && (this.sessionId === undefined ? toolsInForce(current, beginning.current.tools) : current);
	}

	/** Permissions for this chat. */
	get allowed(): readonly string[] {
		return this.unasked.current ?? [];
	}

	/** Permissions for all chats. */
	get allowedInAll(): readonly string[] {
		return this.unaskedInAll.current ?? [];
	}

	revoke(permission: string): Promise<void> {
		return reportFailure(() => tools.allow(permission, false, this.sessionId));
	}

	change(name: string, on: boolean): Promise<void> {
		return reportFailure(() => {
			if (this.sessionId !== undefined) return tools.switch(name, on, this.sessionId);
			beginning.change({ tools: switched(this.names ?? [], name, on) });
			return Promise.resolve();
		});
	}
}
