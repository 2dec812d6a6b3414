import { Dexie } from 'dexie';
import type { Place, Tip, Tree } from '../conversation/tree';
import type { Database } from './database';

/** Number of depths that are read at a time on the way up. */
const stride = 200;

/**
 * Tells of messages of one tree on which branch they are, and what deletion took them. Mostly the tree row alone tells; where it does not,
 * parents are followed upwards, and each row is read once, however many messages are asked about. Part of the running transaction. It
 * waits for reads only: a transaction ends in a long chain of promises without one.
 */
export class Lineage {
	private readonly parents = new Map<string, string | null>();
	private readonly depths = new Set<number>();
	private readonly branches = new Map<string, Tip>();
	private readonly removals = new Map<string, string | undefined>();

	constructor(
		private readonly db: Database,
		private readonly tree: Tree
	) {
		for (const tip of tree.tips) {
			this.branches.set(tip.id, tip);
			if (tip.forkId !== null) this.branches.set(tip.forkId, tip);
		}
		for (const id of tree.removed) this.removals.set(id, id);
	}

	/** Reads what tells of messages whether they were deleted. */
	readRemovals(places: Place[]): Promise<void> {
		return this.tree.removed.length === 0 ? Promise.resolve() : this.read(places, (place) => this.findRemoval(place));
	}

	/** The first message of the deletion that took a message; undefined if it was not deleted. */
	removalOf({ id }: Place): string | undefined {
		return this.removals.get(id);
	}

	/** Reads what tells of messages on which branch they are. None of them may be a deleted one. */
	readBranches(places: Place[]): Promise<void> {
		return this.read(places, (place) => this.findBranch(place));
	}

	branchOf({ id }: Place): Tip {
		return this.branches.get(id)!;
	}

	/** Reads rows until all is found; `find` returns the depth from which upwards rows are missing. */
	private async read(places: Place[], find: (place: Place) => number | undefined): Promise<void> {
		for (const place of places.toSorted((a, b) => b.depth - a.depth)) {
			for (let depth = find(place); depth !== undefined; depth = find(place)) {
				const first = depth - stride + 1;
				const rows = await this.db.messages
					.where(':id')
					.between([this.tree.sessionId, first, Dexie.minKey], [this.tree.sessionId, depth, Dexie.maxKey])
					.toArray();
				for (const { id, parentId } of rows) this.parents.set(id, parentId);
				for (let read = first; read <= depth; read++) this.depths.add(read);
			}
		}
	}

	private findRemoval(place: Place): number | undefined {
		const passed: string[] = [];
		for (let { id, depth } = place; ; depth--) {
			const parentId = this.removals.has(id) ? null : this.parentOf(id, depth);
			if (parentId === undefined) return depth;
			passed.push(id);
			if (parentId !== null) id = parentId;
			else {
				const found = this.removals.get(id);
				for (const one of passed) this.removals.set(one, found);
				return undefined;
			}
		}
	}

	private findBranch(place: Place): number | undefined {
		let left = this.tree.tips.filter((tip) => tip.forkDepth <= place.depth && place.depth <= tip.depth);
		const passed: string[] = [];
		for (let { id, depth } = place; ; depth--) {
			// Another branch that begins at this depth begins with another message.
			left = left.filter((tip) => tip.forkId === null || tip.forkDepth < depth);
			const own = this.branches.get(id) ?? (left.length === 1 ? left[0] : undefined);
			passed.push(id);
			if (own) {
				for (const one of passed) this.branches.set(one, own);
				return undefined;
			}
			const parentId = left.length === 0 ? null : this.parentOf(id, depth);
			if (parentId === undefined) return depth;
			if (parentId === null) throw new Error(`a message in no branch of its session: ${place.id}`);
			id = parentId;
		}
	}

	/** The parent of a message; null where it has none, or is not there; undefined where its row was not read. Nothing is above depth 0: broken rows may lead round in a circle. */
	private parentOf(id: string, depth: number): string | null | undefined {
		if (depth <= 0) return null;
		return this.parents.get(id) ?? (this.depths.has(depth) ? null : undefined);
	}
}
