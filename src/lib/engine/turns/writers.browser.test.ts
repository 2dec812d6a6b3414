import { expect, it } from 'vitest';
import { AppError } from '../../shared/app-error';
import { newId } from '../../shared/id';
import { fencingTokenOf, type FencingToken } from '../../storage/fence';
import { Writers } from './writers';

const settle = () => Promise.resolve();
const token = (fence: number) => fencingTokenOf({ fence });

/** Tabs of one browser, with fences as their store would keep them. */
function openTabs() {
	const fences = new Map<string, number>();
	const trees = {
		fencingToken: (id: string) => Promise.resolve(token(fences.get(id) ?? 0)),
		raiseFence: (id: string) => {
			fences.set(id, (fences.get(id) ?? 0) + 1);
			return Promise.resolve(token(fences.get(id)!));
		}
	};
	return { open: () => new Writers({ locks: navigator.locks, trees, settle }), id: newId(), fences };
}

it('[A5] a session is open for writing in one tab, for all its users there', async () => {
	const { open, id } = openTabs();
	const [tab, other] = [open(), open()];
	const [screen, turn] = await Promise.all([tab.open(id), tab.open(id)]);
	expect(turn!.writer).toBe(screen!.writer);
	expect(await other.open(id)).toBeUndefined();
	await expect(other.require(id)).rejects.toMatchObject({ code: 'open-elsewhere' });
	screen!.release();
	screen!.release();
	expect(await other.open(id)).toBeUndefined();
	turn!.release();
	await expect.poll(() => other.open(id)).toBeDefined();
	expect(tab.of(id)).toBeUndefined();
});

it('[A5] taking over raises the fence and tells the preempted tab, which can have it back later', async () => {
	const { open, id } = openTabs();
	const [tab, other] = [open(), open()];
	const mine = (await tab.open(id))!;
	const theirs = await other.takeOver(id);
	expect(theirs.writer.fence).toBe(mine.writer.fence + 1);
	await expect.poll(() => mine.writer.lost.aborted).toBe(true);
	expect(tab.of(id)).toBeUndefined();
	mine.release();
	const back = tab.openWhenFree(id, new AbortController().signal);
	theirs.release();
	expect((await back).writer.fence).toBe(theirs.writer.fence);
	expect(tab.of(id)).toBeDefined();
});

it('[A5] a write whose session was replaced under its writer goes on with the fence of what is there; behind a theft it does not', async () => {
	const { open, id, fences } = openTabs();
	const [tab, other] = [open(), open()];
	const { writer } = (await tab.open(id))!;
	const write = (fence: number) =>
		fence === (fences.get(id) ?? 0) ? Promise.resolve('written') : Promise.reject(new AppError('taken-over', 'Not written.'));
	fences.set(id, 7);
	expect(await tab.write(writer, write)).toBe('written');
	expect(await tab.asWriter(id, write)).toBe('written');
	fences.set(id, 3);
	expect(await tab.asWriter(id, write)).toBe('written');
	expect(writer.fence).toBe(3);

	await other.takeOver(id);
	await expect(tab.write(writer, write)).rejects.toMatchObject({ code: 'taken-over' });
	expect(writer.fence).toBe(3);
});

it('[A5] two tabs that rob each other over and over end with one writer', async () => {
	const { open, id } = openTabs();
	const tabs = [open(), open(), open()];
	for (let round = 0; round < 30; round++) await Promise.all(tabs.map((tab) => tab.takeOver(id)));
	await expect.poll(() => tabs.filter((tab) => tab.of(id)).length).toBe(1);
});

it('[A5] a tab that is preempted while it opens a session does not write, and can try again', async () => {
	const { open, id } = openTabs();
	const other = open();
	let read = () => {};
	const fence = new Promise<FencingToken>((resolve) => (read = () => resolve(token(0))));
	const slow = new Writers({ locks: navigator.locks, trees: { fencingToken: () => fence, raiseFence: () => Promise.resolve(token(1)) }, settle });
	const opening = slow.open(id);
	await expect.poll(async () => (await navigator.locks.query()).held?.some(({ name }) => name === `session:${id}`)).toBe(true);
	const theirs = await other.takeOver(id);
	await expect.poll(async () => (await navigator.locks.query()).held?.some(({ name }) => name === `session:${id}`)).toBe(true);
	read();
	expect(await opening).toBeUndefined();
	expect(slow.of(id)).toBeUndefined();
	theirs.release();
	await expect.poll(() => slow.open(id)).toBeDefined();
	expect(slow.of(id)?.lost.aborted).toBe(false);
});

it('[A5] of two tabs that take over at once the last one has the newest fence', async () => {
	const { id } = openTabs();
	let fence = 0;
	/** Raising takes the first tab longer than the second. */
	const tabs = [30, 0].map(
		(milliseconds) =>
			new Writers({
				locks: navigator.locks,
				trees: {
					fencingToken: () => Promise.resolve(token(0)),
					raiseFence: async () => {
						await new Promise((resolve) => setTimeout(resolve, milliseconds));
						return token(++fence);
					}
				},
				settle
			})
	);
	await Promise.all(tabs.map((tab) => tab.takeOver(id)));
	await expect.poll(() => tabs.flatMap((tab) => tab.of(id)?.fence ?? [])).toEqual([fence]);
});
