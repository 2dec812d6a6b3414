import { Writers } from '../engine/turns/writers';
import { Trees } from '../storage/trees';
import { db } from './environment';
import { settle } from './settle';

/** The leases of this tab. */
export const writers = new Writers({
	locks: navigator.locks,
	trees: new Trees(db),
	settle: (writer, preempted) => settle(db, writer, preempted)
});
