import { flushSync, mount, unmount } from 'svelte';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { newMessage, newSession } from '../../../../tests/fixtures/database';
import { conversations } from '../../app/conversations';
import { append } from '../../storage/append';
import { Database } from '../../storage/database';
import { unfenced } from '../../storage/fence';
import { Conversation } from '../../view/conversation.svelte';
import { notices } from '../../view/notices.svelte';
import { writeUnwritten } from '../../view/unwritten';
import TreePanel from './TreePanel.svelte';

let mounted: Record<string, unknown> | undefined;

afterEach(async () => {
	if (mounted) await unmount(mounted);
	mounted = undefined;
	document.body.replaceChildren();
	notices.length = 0;
});

/**
 * A panel of this session, with the user at n5:
 *
 *     n0 Hello
 *     n1 Plans
 *     ├── n3 Paris
 *     │   n4 Food
 *     └── n5 Prague
 *     n2 Rome
 */
async function draw({ changeable = true } = {}) {
	const db = new Database();
	onTestFinished(() => db.close());
	const id = newSession().id;
	const ask = async (text: string, parentId?: string) => {
		const session = parentId === undefined ? newSession({ id, status: 'success' }) : id;
		const rows = await append(db, {
			session,
			fence: unfenced,
			messages: [newMessage('user', text), newMessage('assistant', `About ${text}`)],
			...(parentId === undefined ? {} : { parentId })
		});
		return { sent: rows[0]!.id, end: rows[1]!.id };
	};
	const hello = await ask('Hello');
	const plans = await ask('Plans', hello.end);
	const rome = await ask('Rome', plans.end);
	const paris = await ask('Paris', plans.end);
	const food = await ask('Food', paris.end);
	const prague = await ask('Prague', plans.end);
	onTestFinished(async () => {
		await conversations.deleteSessions([id], 0);
		await conversations.purge();
	});
	const onleave = vi.fn();
	mounted = mount(TreePanel, { target: document.body, props: { conversation: new Conversation(id), changeable, onleave } });
	await vi.waitFor(() => expect(items()).toHaveLength(6));
	return { id, nodes: { hello, plans, rome, paris, food, prague }, onleave };
}

const items = () => [...document.querySelectorAll<HTMLElement>('[role="treeitem"]')];
const item = (name: string) => items().find((row) => row.querySelector('b')!.textContent === name)!;
const shown = () => items().map((row) => row.querySelector('b')!.textContent);
const focused = () => document.activeElement?.querySelector('b')?.textContent;
const button = (name: string | RegExp) => [...document.querySelectorAll('button')].find((one) => one.textContent.trim().match(name))!;

/** Clicks a node, which then has the focus. */
async function click(name: string) {
	item(name).click();
	await vi.waitFor(() => expect(focused()).toBe(name));
}

async function press(key: string) {
	document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
	flushSync();
	await Promise.resolve();
	await new Promise(requestAnimationFrame);
}

async function pressAll(keys: string[]): Promise<(string | null | undefined)[]> {
	const way: (string | null | undefined)[] = [];
	for (const key of keys) {
		await press(key);
		way.push(focused());
	}
	return way;
}

describe('TreePanel', () => {
	it('[Z9] draws a node a send, branches below the node that they leave, and where the user is', async () => {
		await draw();
		expect(shown()).toEqual(['n0', 'n1', 'n3', 'n4', 'n5', 'n2']);
		expect(items().map((row) => row.getAttribute('aria-level'))).toEqual(['1', '1', '2', '2', '2', '1']);
		expect(document.querySelectorAll('[aria-current="true"]')).toHaveLength(1);
		expect(item('n5').getAttribute('aria-current')).toBe('true');
		expect(items().filter((row) => row.classList.contains('path'))).toEqual([item('n0'), item('n1'), item('n5')]);
		expect(item('n4').textContent).toContain('8 messages');
		expect(items().filter((row) => row.tabIndex === 0)).toEqual([item('n5')]);
	});

	it('[P4] is gone through by the keys of a tree', async () => {
		await draw();
		item('n5').focus();
		expect(await pressAll(['ArrowUp', 'ArrowUp', 'ArrowLeft', 'ArrowLeft', 'ArrowUp'])).toEqual(['n4', 'n3', 'n1', 'n1', 'n0']);
		expect(shown()).toEqual(['n0', 'n1', 'n2']);
		expect(item('n1').getAttribute('aria-expanded')).toBe('false');
		expect(await pressAll(['ArrowDown', 'ArrowRight', 'ArrowRight', 'End', 'ArrowDown', 'Home'])).toEqual(['n1', 'n1', 'n3', 'n2', 'n2', 'n0']);
		expect(shown()).toHaveLength(6);
		expect(items().filter((row) => row.tabIndex === 0)).toEqual([item('n0')]);
		expect(await pressAll(['PageDown', 'PageUp', 'End', 'PageUp'])).toEqual(['n2', 'n0', 'n2', 'n0']);
	});

	it('[P4] finds a node by the letters that are typed, also by those which are keys of their own', async () => {
		const { id } = await draw();
		item('n5').focus();
		expect(await pressAll(['n', '4'])).toEqual(['n2', 'n4']);
		await new Promise((resolve) => setTimeout(resolve, 800));
		expect(await pressAll(['r', 'o', 'm'])).toEqual(['n2', 'n2', 'n2']);
		expect((await conversations.trees.get(id))!.mainTip).toBeNull();
	});

	it('[Z9] goes to a branch by Enter, and by double click, but not by one', async () => {
		const { id, nodes, onleave } = await draw();
		await click('n3');
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect((await conversations.messages.headOf(id))!.id).toBe(nodes.prague.end);
		await press('Enter');
		await vi.waitFor(async () => expect((await conversations.messages.headOf(id))!.id).toBe(nodes.food.end));
		await vi.waitFor(() => expect(item('n4').getAttribute('aria-current')).toBe('true'));
		item('n2').dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
		await vi.waitFor(async () => expect((await conversations.messages.headOf(id))!.id).toBe(nodes.rome.end));
		expect(onleave).toHaveBeenCalledTimes(2);
	});

	it('[Z9] branches, labels, marks as the main branch and deletes by keys', async () => {
		const { id, nodes } = await draw();
		await click('n3');
		await press('b');
		await vi.waitFor(async () => expect((await conversations.messages.headOf(id))!.id).toBe(nodes.paris.end));

		await click('n3');
		await press('l');
		const field = document.querySelector<HTMLInputElement>('[aria-label="Label of n3"]')!;
		expect(document.activeElement).toBe(field);
		field.value = 'the m of b';
		field.dispatchEvent(new KeyboardEvent('keydown', { key: 'm', bubbles: true }));
		field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
		await vi.waitFor(() => expect(item('n3').querySelector('.label')?.textContent).toBe('the m of b'));
		expect((await conversations.trees.get(id))!.labels).toEqual({ [nodes.paris.end]: 'the m of b' });
		await vi.waitFor(() => expect(focused()).toBe('n3'));

		await press('m');
		await vi.waitFor(() => expect(item('n4').textContent).toContain('Main branch'));
		expect((await conversations.trees.get(id))!.mainTip).toBe(nodes.food.end);

		await press('Delete');
		await vi.waitFor(() => expect(shown()).toEqual(['n0', 'n1', 'n3', 'n2']));
		expect(focused()).toBe('n1');
		await notices.find(({ action }) => action)!.action!.run();
		await vi.waitFor(() => expect(shown()).toEqual(['n0', 'n1', 'n3', 'n4', 'n5', 'n2']));
	});

	it('[Z9] a label that is given up is not written', async () => {
		const { id } = await draw();
		await click('n3');
		await press('l');
		const field = document.querySelector<HTMLInputElement>('[aria-label="Label of n3"]')!;
		field.value = 'no';
		field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
		await vi.waitFor(() => expect(focused()).toBe('n3'));
		expect((await conversations.trees.get(id))!.labels).toEqual({});
	});

	it('[E11] the browser asks before a label that is being written is lost with the page', async () => {
		await draw();
		await click('n3');
		await press('l');
		const isAsked = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
		const field = document.querySelector<HTMLInputElement>('[aria-label="Label of n3"]')!;
		expect(isAsked()).toBe(false);
		field.value = 'half a la';
		expect(isAsked()).toBe(true);
		expect(await writeUnwritten()).toBe(false);
		field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
		await vi.waitFor(() => expect(item('n3').querySelector('.label')?.textContent).toBe('half a la'));
		expect(isAsked()).toBe(false);
	});

	it('[A5] changes nothing where another tab has the session open', async () => {
		const { id } = await draw({ changeable: false });
		const before = await conversations.trees.get(id);
		await click('n3');
		for (const key of ['b', 'l', 'm', 'Delete']) {
			await new Promise((resolve) => setTimeout(resolve, 750));
			await press(key);
		}
		expect(await conversations.trees.get(id)).toEqual(before);
		for (const name of ['Branch from here', 'Label', 'Set as main branch', 'Delete']) expect(button(name).disabled).toBe(true);
	});

	it('[P4] compares a branch with where the user is, from the message on that they part at', async () => {
		await draw();
		await click('n3');
		button('Compare').click();
		await vi.waitFor(() => expect(document.querySelector('dialog')?.textContent).toContain('Both share 4 messages, up to “Plans”'));
		const dialog = document.querySelector('dialog')!;
		expect([...dialog.querySelectorAll('select')].map((select) => select.selectedOptions[0]!.textContent)).toEqual([
			'n4 · Food',
			'n5 · Prague (you are here)'
		]);
		const said = () => [...dialog.querySelectorAll('article')].map((article) => `${article.ariaLabel}: ${article.lastElementChild!.textContent}`);
		await vi.waitFor(() =>
			expect(said().map((line) => line.trim())).toEqual([
				'You, in n4 “Food”: Paris',
				'You, in n5 “Prague”: Prague',
				'Assistant, in n4 “Food”: About Paris',
				'Assistant, in n5 “Prague”: About Prague',
				'You, in n4 “Food”: Food',
				'Assistant, in n4 “Food”: About Food'
			])
		);
	});
});
