import { app } from '../app';
import { Live } from './live.svelte';

/** A setting that is off unless it is set to true. */
export class Switch {
	private readonly rows: Live<true | undefined>;

	constructor(private readonly name: 'showTokens' | 'showTimes' | 'wrapCode' | 'processorOnly') {
		this.rows = new Live(() => app.settings.get(name));
	}

	get on(): boolean {
		return this.rows.current ?? false;
	}

	async set(on: boolean): Promise<void> {
		await (on ? app.settings.set(this.name, true) : app.settings.unset(this.name));
	}
}

/** Answers show their tokens [S7]. */
export const showsTokens = new Switch('showTokens');
/** Messages show when they were written. */
export const showsTimes = new Switch('showTimes');
/** Long lines of code go on below, in the place of being scrolled to. */
export const wrapsCode = new Switch('wrapCode');
/** Models on this device leave the graphics processor alone, from the next one that is loaded on. */
export const processorOnly = new Switch('processorOnly');
