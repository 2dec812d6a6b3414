import { followAnswers } from './badge';
import { followLaunches } from './launches';

/** Follows what only the installed app has: launches, and an icon that counts answers. One file to load, since each that is named weighs on every first visit. */
export function followInstalledApp(): void {
	followLaunches();
	followAnswers();
}
