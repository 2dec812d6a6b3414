import type { TurnEvent } from '../engine/turns/turn';
import type { StartedTurn } from '../engine/turns/turn-ports';

/** Called when a turn begins in this page; what it returns is called with each of its events. */
export type TurnFollower = (turn: Pick<StartedTurn, 'sessionId' | 'parentId'>) => (event: TurnEvent) => void;

const followers = new Set<TurnFollower>();

/** Has `follower` told of every turn that begins in this page from now on, whoever began it. */
export function followTurns(follower: TurnFollower): void {
	followers.add(follower);
}

/** Runs a turn to its end: reading its events is what runs it. Followers, and `take`, are told of each. */
export async function runTurn({ events, ...turn }: StartedTurn, take?: (event: TurnEvent) => void): Promise<void> {
	const takers = [...Array.from(followers, (follower) => heard(() => follower(turn))), take];
	for await (const event of events) for (const take of takers) heard(() => take?.(event));
}

/** Reports what a follower throws: a turn goes on whoever can't follow it. */
function heard<T>(tell: () => T): T | undefined {
	try {
		return tell();
	} catch (error) {
		reportError(error);
		return undefined;
	}
}
