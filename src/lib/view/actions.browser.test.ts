import { describe, expect, it } from 'vitest';
import { commands } from '../commands/registry';
import { needsArgument } from '../commands/command';
import { actions } from './actions';
import type { Action } from './actions/action';
import { keysOf } from './shortcuts';

type Listed = Pick<Action<never>, 'id' | 'label' | 'icon' | 'command' | 'keys'>;

const all: Listed[] = Object.values(actions).flat();
const { message, node, ...among } = actions;
/** Sets of actions that can be on the screen together: what is done to a message or a node is in a menu or a panel of its own. */
const scopes: Record<string, readonly Listed[]> = { commands: Object.values(among).flat(), message, node };

function doubles(texts: readonly string[]): string[] {
	return texts.filter((text, at) => texts.indexOf(text) !== at);
}

describe('actions', () => {
	it('have an id, a label and an icon each, and no other has that id', () => {
		expect(doubles(all.map(({ id }) => id))).toEqual([]);
		for (const { id, label, icon } of all) {
			expect(id).toMatch(/^\/?[a-z]+(-[a-z]+)*$/);
			expect(label.trim()).not.toBe('');
			expect(icon, id).toBeTypeOf('function');
		}
	});

	it.each(Object.entries(scopes))('have labels that tell them apart among %s', (_scope, listed) => {
		expect(doubles(listed.map(({ label }) => label.toLowerCase()))).toEqual([]);
	});

	it('have labels that fit on a phone', () => {
		expect(all.map(({ label }) => label).filter(({ length }) => length > 34)).toEqual([]);
	});

	it('have keys that no other has, and that can be read', () => {
		const withKeys = all.filter(({ keys }) => keys);
		expect(withKeys.map(({ id }) => id)).toEqual(expect.arrayContaining(['search', 'find', 'rename', 'next-hit', 'delete-node']));
		expect(doubles(withKeys.flatMap(({ keys = [] }) => [...keys]))).toEqual([]);
		for (const action of withKeys) expect(keysOf(action)?.name).toBeTruthy();
	});

	it('[S3] stand for each slash command that needs no argument, once', () => {
		const stood = all.flatMap(({ command }) => command ?? []);
		expect(stood.toSorted()).toEqual(commands.filter((command) => !needsArgument(command)).map(({ name }) => name).toSorted());
	});
});
