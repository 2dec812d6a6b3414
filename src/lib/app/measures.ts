import { Folders } from '../storage/folders';
import { Snapshots } from '../storage/snapshots';
import { measureUsage } from '../storage/usage';
import { totalUsage } from '../storage/usage-totals';
import { db } from './environment';

/** Sums and sizes of what is stored. */
export const measures = {
	/** Sums what all sessions took [E9]. */
	totalUsage: () => totalUsage(db),
	/** Measures what takes up how much. */
	usage: () => measureUsage(db),
	/** Tells whether there are files in Snug’s folders, which are in no backup. */
	hasFolderFiles: async () => (await new Folders(db).sessionsWithFiles()).length > 0,
	/** The copies of all rows that were made before updates. */
	snapshots: new Snapshots()
};
