import { followAnswers } from './badge';
import { followLaunches } from './launches';

/** Follows what the installed app is opened with, and has its icon count answers. */
export function followLaunchesAndAnswers(): void {
	followLaunches();
	followAnswers();
}
