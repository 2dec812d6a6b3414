import { expect, it } from 'vitest';
import { Tables } from './tables';

const table = () => {
	const place = document.createElement('div');
	place.className = 'table';
	place.style.cssText = 'width: 50px; overflow-x: auto';
	place.innerHTML = '<table style="width: 500px"><tbody><tr><td>Wide</td></tr></tbody></table>';
	return place;
};

it('[P10] a wide table can be focused wherever its block is drawn: in the message, or later in a run of its blocks', async () => {
	const root = document.createElement('div');
	const run = document.createElement('div');
	root.append(run);
	document.body.append(root);
	const tables = new Tables(root);
	const places = [table(), table(), table()];
	run.append(places[0]!);
	await expect.poll(() => places[0]!.tabIndex).toBe(0);
	root.append(places[1]!);
	const next = document.createElement('div');
	root.append(next);
	await expect.poll(() => places[1]!.tabIndex).toBe(0);
	next.append(places[2]!);
	await expect.poll(() => places[2]!.tabIndex).toBe(0);
	tables.stop();
	root.remove();
});
