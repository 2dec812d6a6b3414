import { Cleanup } from '../engine/cleanup';
import { Folders } from '../storage/folders';
import { sessionsLeft } from '../storage/left-of-sessions';
import { clock, db } from './environment';

/** The rules by which what grows too old or too large goes into the trash for a week [A8]. */
export const cleanup = new Cleanup({ db, locks: navigator.locks, clock, spared: async () => [...sessionsLeft(), ...(await new Folders(db).sessionsWithFiles())] });
