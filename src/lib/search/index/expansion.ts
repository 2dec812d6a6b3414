import type { Leaf } from './query';
import type { CountedSource, TermEntry } from './source';

/** A term that a leaf of the query expands to, with its weight; `entries` by source, undefined where it is not. */
export interface Derived {
	term: string;
	weight: number;
	entries: (TermEntry | undefined)[];
}

/** The terms that the leaves of a query match in some sources. Memoised, so that asking twice costs once. */
export class Expansion {
	private readonly leaves = new Map<string, Derived[]>();

	constructor(readonly sources: readonly CountedSource[]) {}

	/** Returns all terms that the leaf matches, with MiniSearch's weights for prefix and fuzzy matches. */
	of(leaf: Leaf): Derived[] {
		const name = `${leaf.distance} ${leaf.prefix} ${leaf.term}`;
		let derived = this.leaves.get(name);
		if (!derived) this.leaves.set(name, (derived = this.derive(leaf)));
		return derived;
	}

	/** Returns the terms of a source that match any of these leaves. */
	entries(leaves: Leaf[], source: number): TermEntry[] {
		return leaves.flatMap((leaf) => this.of(leaf).flatMap(({ entries }) => entries[source] ?? []));
	}

	private derive({ term, prefix, distance }: Leaf): Derived[] {
		const found = new Map<string, Derived>();
		this.sources.forEach(({ source }, index) => {
			const add = (entry: TermEntry, weight: number) => {
				let derived = found.get(entry.term);
				if (!derived) found.set(entry.term, (derived = { term: entry.term, weight, entries: [] }));
				derived.entries[index] = entry;
			};
			if (prefix) {
				for (const entry of source.withPrefix(term)) add(entry, prefixWeight(term, entry.term));
			} else {
				const exact = source.find(term);
				if (exact) add(exact, 1);
			}
			if (distance === 0) return;
			for (const { entry, distance: actual } of source.fuzzy(term, distance)) {
				if (actual > 0 && !(prefix && entry.term.startsWith(term))) add(entry, fuzzyWeight(entry.term, actual));
			}
		});
		return [...found.values()];
	}
}

// The weights of MiniSearch 7.
function prefixWeight(typed: string, term: string): number {
	const extra = term.length - typed.length;
	return extra === 0 ? 1 : (0.375 * term.length) / (term.length + 0.3 * extra);
}

function fuzzyWeight(term: string, distance: number): number {
	return (0.45 * term.length) / (term.length + distance);
}
