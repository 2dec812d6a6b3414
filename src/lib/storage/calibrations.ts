import type { Database } from './database';
import type { Calibration, CalibrationSample } from './tables/calibrations';

/** Number of samples that are kept. */
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
