import { nothingUnsent, type Unsent } from '../conversation/unsent';

/** The name in session storage: what is there lives as long as the tab, over reloads. */
const key = 'snug:new-chat';

/** What this tab has kept of a new chat. */
export function keptInTab(): Unsent {
	try {
		const { text, attachments } = { ...nothingUnsent, ...(JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<Unsent>) };
		return { text, attachments };
	} catch {
		// Site data are blocked; the page says so.
		return nothingUnsent;
	}
}

/** Keeps it in the place of what was kept before. Returns whether there was room. */
export function keepInTab({ text, attachments }: Unsent): boolean {
	try {
		if (text === '' && attachments.length === 0) sessionStorage.removeItem(key);
		else sessionStorage.setItem(key, JSON.stringify({ text, attachments }));
		return true;
	} catch (error) {
		return (error as DOMException).name !== 'QuotaExceededError';
	}
}
