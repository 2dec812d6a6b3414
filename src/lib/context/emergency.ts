import type { Message, Part } from '../conversation/message';
import { partText } from '../conversation/part-text';
import { cutMiddle, largest } from './cut';
import type { Cut, Emergency, InReason, PlanItem } from './plan';
import type { TokenCounter } from './token-counter';

/** To how many characters a result, a text of a message, and the system prompt are cut [S8]. */
const longResult = 2000;
const longText = 2000;
const longSystem = 2000;

/** The least that stays of the last message: 200 characters, and the line that says what is missing. */
const shortest = 250;

/**
 * The last resort before sending [S8], where what must be sent is `over` tokens too long. In this order, and from the
 * oldest on, until it fits: images become lines of text; long tool results are cut; unprotected units are dropped; long
 * texts are cut, the longest first; pinned units are dropped, then the newest but the last; that one and the question are cut; and so is
 * the system prompt, which is returned. `units` are the items that are in, oldest unit first: they are changed.
 */
export function shorten(units: PlanItem[][], system: string, over: number, count: TokenCounter): { system: string; emergency: Emergency } {
	const shortening = new Shortening(over, count);
	const items = units.flat();
	const isLeft = (unit: PlanItem[], index: number) => index === units.length - 1 || unit.some(({ state }) => state.reason === 'question');
	const last = units.filter(isLeft).flat();
	const older = units.filter((unit, index) => !isLeft(unit, index));
	shortening.describeImages(items);
	shortening.cutResults(items);
	shortening.drop(older, 'fits');
	shortening.cutTexts(items, ['text'], longText);
	shortening.drop(older, 'pinned');
	shortening.drop(older, 'recent');
	shortening.cutTexts(last, ['text', 'tool-result'], shortest);
	return { system: shortening.cutSystem(system), emergency: shortening.report() };
}

type Wordy = Extract<Part, { type: 'text' | 'tool-result' }>;

class Shortening {
	private readonly cuts = new Map<PlanItem, Set<Cut>>();
	private systemCuts = 0;
	private dropped = 0;

	/** `over`: how many tokens there are still to be saved. */
	constructor(
		private over: number,
		private readonly count: TokenCounter
	) {}

	describeImages(items: PlanItem[]): void {
		for (const item of items) {
			if (this.over <= 0) return;
			if (!item.parts.some(isImage)) continue;
			const parts = item.parts.map((part): Part => (isImage(part) ? { type: 'text', text: `[image ${part.name}]` } : part));
			this.replace(item, parts, 'image');
		}
	}

	cutResults(items: PlanItem[]): void {
		for (const item of items) {
			if (this.over <= 0) return;
			const parts = item.parts.map((part) => {
				const isLong = part.type === 'tool-result' && partText(part).length > longResult;
				return isLong ? withWords(part, cutMiddle(partText(part), longResult)) : part;
			});
			if (parts.some((part, index) => part !== item.parts[index])) this.replace(item, parts, 'result');
		}
	}

	drop(units: PlanItem[][], reason: InReason): void {
		for (const items of units) {
			if (this.over <= 0) return;
			if (items.some(({ state }) => state.reason !== reason)) continue;
			for (const item of items) {
				this.over -= item.tokens;
				this.dropped++;
				this.cuts.delete(item);
				item.parts = [];
				item.tokens = this.count.message(item.message);
				item.state = { in: false, reason: 'dropped' };
			}
		}
	}

	/** Each only as far as needed, and not below `least` characters. */
	cutTexts(items: PlanItem[], types: Wordy['type'][], least: number): void {
		const long = items.flatMap((item) =>
			item.parts.flatMap((part, index) => {
				const length = isWordy(part) && types.includes(part.type) ? partText(part).length : 0;
				return length > least ? [{ item, index, length }] : [];
			})
		);
		for (const { item, index, length } of long.sort((a, b) => b.length - a.length)) {
			if (this.over <= 0) return;
			const part = item.parts[index] as Wordy;
			const words = partText(part);
			const shorter = (most: number) => item.parts.with(index, withWords(part, cutMiddle(words, most)));
			const most = largest(least, length - 1, (most) => this.over - item.tokens + this.tokensOf(item.message, shorter(most)) <= 0);
			this.replace(item, shorter(most), part.type === 'text' ? 'text' : 'result');
		}
	}

	cutSystem(system: string): string {
		if (this.over <= 0 || system.length <= longSystem) return system;
		const saved = (most: number) => this.count.text(system) - this.count.text(cutMiddle(system, most));
		const most = largest(longSystem, system.length - 1, (most) => saved(most) >= this.over);
		this.over -= saved(most);
		this.systemCuts++;
		return cutMiddle(system, most);
	}

	report(): Emergency {
		const having = (cut: Cut) => [...this.cuts.values()].filter((cuts) => cuts.has(cut)).length;
		return { images: having('image'), results: having('result'), texts: having('text') + this.systemCuts, dropped: this.dropped };
	}

	/** Unless that would not save a token. */
	private replace(item: PlanItem, parts: Part[], cut: Cut): void {
		const tokens = this.tokensOf(item.message, parts);
		if (!item.state.in || tokens >= item.tokens) return;
		this.over -= item.tokens - tokens;
		this.cuts.set(item, (this.cuts.get(item) ?? new Set()).add(cut));
		item.parts = parts;
		item.tokens = tokens;
		item.state = { ...item.state, cut };
	}

	private tokensOf(message: Message, parts: Part[]): number {
		return this.count.message({ ...message, parts });
	}
}

function isImage(part: Part): part is Extract<Part, { type: 'file' }> {
	return part.type === 'file' && part.mediaType.startsWith('image/');
}

function isWordy(part: Part): part is Wordy {
	return part.type === 'text' || part.type === 'tool-result';
}

function withWords(part: Wordy, words: string): Part {
	return part.type === 'text' ? { type: part.type, text: words } : { ...part, output: words };
}
