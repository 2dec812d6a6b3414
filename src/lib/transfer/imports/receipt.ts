import type { ImportSummary } from './import-file';
import type { Offers } from './offers';
import type { ImportId } from './registry';
import type { Tally } from './tally';

/** An account of an import: what the file has, what of it is new here, what was here already, and what does not come. */
export interface Receipt {
	format: ImportId;
	found: Tally;
	kept: Tally;
	merged: Tally;
	personas: { kept: number; merged: number };
	skipped: { what: string; why: string; count: number }[];
	/** Servers and settings of the file, none of which is in use until it is accepted. */
	offers: Offers;
}

export function receiptOf({ format, found, sessions, messages, branches, attachments, personas, leftOut, offers }: ImportSummary): Receipt {
	const skipped = leftOut.map(({ table, reason, count }) => ({ what: table, why: reason, count }));
	if (personas.taken.length > 0) skipped.push({ what: 'personas', why: 'Another persona here has the name, and stays.', count: personas.taken.length });
	return {
		format,
		found,
		kept: { sessions: sessions.added + sessions.back, messages: messages.added, branches: branches.added, attachments: attachments.added },
		merged: { sessions: sessions.changed + sessions.same, messages: messages.same, branches: branches.same, attachments: attachments.same },
		personas: { kept: personas.added.length, merged: personas.same },
		skipped,
		offers
	};
}
