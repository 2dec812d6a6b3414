import type { Database } from './database';

/** What was estimated of one prompt, and what it took, in tokens. `at` is in epoch milliseconds. */
export interface CalibrationSample {
	/** By length alone, without any factor. */
	raw: number;
	/** What the inspector said that it would be. */
	shown: number;
	/** What the engine reported. */
	actual: number;
	at: number;
}

/** What was learnt of a model's tokens, by its key. */
export interface Calibration {
	model: string;
	/** Oldest first, twenty at most. */
	samples: CalibrationSample[];
	/** The context window that the server named when a prompt was too long for it. */
	window?: number;
}

/** How many samples are kept. */
const most = 20;

export class Calibrations {
	constructor(private readonly db: Database) {}

	get(model: string): Promise<Calibration | undefined> {
		return this.db.calibrations.get(model);
	}

	learn(model: string, sample: CalibrationSample): Promise<void> {
		return this.change(model, (row) => ({ ...row, samples: [...row.samples, sample].slice(-most) }));
	}

	learnWindow(model: string, window: number): Promise<void> {
		return this.change(model, (row) => ({ ...row, window }));
	}

	private change(model: string, change: (row: Calibration) => Calibration): Promise<void> {
		return this.db.transaction('rw', this.db.calibrations, async () => {
			await this.db.calibrations.put(change((await this.db.calibrations.get(model)) ?? { model, samples: [] }));
		});
	}
}
