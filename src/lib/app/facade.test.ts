import { expect, it } from 'vitest';
import type { app } from '../app';
import type { conversations } from './conversations';

it('[A5] screens get readers and commands that hold the lease, nothing that takes or lacks a fencing token', () => {
	const uncompiled = ({ sessions }: typeof app, { trees, trash, writers, drafts }: typeof conversations, id: string) => [
		// @ts-expect-error `moveHead` of the facade does it as the writer.
		trees.moveHead(id, id),
		// @ts-expect-error So does `removeBranch`.
		trees.removeBranch(id, id, 0),
		// @ts-expect-error Raising the fence is part of taking over.
		trees.raiseFence(id),
		// @ts-expect-error `purge` of the facade settles first what pages have left.
		trash.purgeUnfenced(0),
		// @ts-expect-error `renameSession` and `pinSessions` are what any tab may do.
		sessions.updateUnfenced(id, { title: '' }),
		// @ts-expect-error Writing is what commands do.
		writers.asWriter(id, () => Promise.resolve()),
		// @ts-expect-error A draft is written by its writer.
		drafts.set(id, (stored) => stored)
	];
	expect(uncompiled).toBeTypeOf('function');
});
