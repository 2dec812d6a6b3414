import { replaceState } from '$app/navigation';
import { resolve } from '$app/paths';
import { page } from '$app/state';
import type { Role } from '../conversation/message';
import { filterOf, readAddress, writeAddress, type Wanted } from '../search/address';
import { groupByChat, shownHits } from './search-groups';
import { searchWords } from './search-words';
import { Search } from './search.svelte';

/** Filters of a search, but for the session that it is in, which stands apart. */
export const filters = ['workspace', 'role', 'model', 'from', 'to', 'code'] as const;

/** Authors whose messages can be looked for, as users read them. */
export const voices: Partial<Record<Role, string>> = { user: 'You', assistant: 'Assistant', tool: 'Tools' };

/** Number of hits that are shown at first, and how many more at a time. */
const step = 50;

/** The most that are read at once for one press of “Show more”. */
const maxStep = 400;

/** The address of the search page that finds this. */
export function searchAddress(wanted: Partial<Wanted>): ReturnType<typeof resolve> {
	return `${resolve('/(app)/search')}${writeAddress(wanted, searchWords)}` as ReturnType<typeof resolve>;
}

/** The search page: what is asked there, which its address says too, so that it can be reloaded, shared between tabs and returned to. */
export class SearchPage {
	readonly search = new Search();
	private asked = $state.raw<Wanted>({ text: '', order: 'best', code: false });
	private reach = step;
	private writing: ReturnType<typeof setTimeout> | undefined;
	/** Ids of the chats of which all hits are shown. */
	private whole = $state.raw<readonly string[]>([]);

	/** The hits by chat; in one session all of them. */
	readonly chats = $derived(groupByChat(this.search.found?.hits ?? [], (id) => this.whole.includes(id) || this.asked.session !== undefined));

	get wanted(): Wanted {
		return this.asked;
	}

	/** True if something narrows what is found. */
	get narrowed(): boolean {
		return filters.some((name) => this.asked[name]);
	}

	/** The way one has come: the number of hits that are read at most, and the chats of which all are shown. */
	get place(): { reach: number; whole: readonly string[] } {
		return { reach: this.reach, whole: this.whole };
	}

	/** Asks what the address says. The router’s own copy of it does not know what was typed since. */
	open(): void {
		this.asked = readAddress(location.search, searchWords);
		this.whole = [];
		void this.ask(step);
	}

	/** Asks something else; undefined takes a filter away. The address follows a moment later: browsers refuse it at every key. */
	change(part: { [Name in keyof Wanted]?: Wanted[Name] | undefined }): void {
		const changed = Object.entries({ ...this.asked, ...part }).filter(([, value]) => value !== undefined);
		this.asked = Object.fromEntries(changed) as unknown as Wanted;
		this.writing ??= setTimeout(() => this.writeAddress(), 250);
		this.whole = [];
		void this.ask(step);
	}

	/** Takes every filter away, and the session with them. */
	widen(): void {
		this.change({ session: undefined, workspace: undefined, role: undefined, model: undefined, from: undefined, to: undefined, code: false });
	}

	/** Writes what is asked into the address, where it is not there yet: also to be called before the page is left. */
	writeAddress(): void {
		if (this.writing === undefined) return;
		this.close();
		replaceState(searchAddress(this.asked), page.state);
	}

	/** To be called when the page is gone. */
	close(): void {
		clearTimeout(this.writing);
		this.writing = undefined;
	}

	/** Reads on until there is more to be seen, or a while: hits may all be of chats that show a few of theirs. */
	async showMore(): Promise<void> {
		const { asked } = this;
		const before = shownHits(this.chats).length;
		for (let by = step; asked === this.asked && by <= maxStep; by *= 2) {
			await this.ask(this.reach + by);
			if (!this.search.found?.more || shownHits(this.chats).length > before) return;
		}
	}

	/** Shows all hits of a chat that are read. */
	showAllOf(sessionId: string): void {
		this.whole = [...this.whole, sessionId];
	}

	/** Shows as much as was shown before; resolves when it is there. */
	async showAgain({ reach, whole }: SearchPage['place']): Promise<void> {
		this.whole = whole;
		await this.ask(reach);
		await this.search.settled();
	}

	private ask(reach: number): Promise<void> {
		this.reach = reach;
		return this.search.ask({ text: this.asked.text, filter: filterOf(this.asked), order: this.asked.order, reach });
	}
}
