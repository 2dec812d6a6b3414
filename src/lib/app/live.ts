import { isInstalled } from '../shared/installed';
import type { Surface } from '../conversation/session';
import { LiveTurns } from '../engine/turns/live-turns';

export const surface: Surface = isInstalled ? 'pwa' : 'web';

/** The channel on which this tab tells others of its turns, and hears of theirs. A tab of an older version, which tells an answer as texts, does so in `snug-turns`. */
export const live = new LiveTurns({ channel: new BroadcastChannel('snug-turns-6'), surface });
