import { expect, it } from 'vitest';
import { canDraw, extentOfSvg, readTold } from './preview';

it.each([
	['<svg width="300" height="120">', 120, 0.4],
	["<?xml version='1.0'?>\n<svg stroke-width='3' width='300px' viewBox='0 0 600 300'>", 150, 0.5],
	['<SVG height="80" viewBox="0,0,40,20">', 80, 0.5],
	['<svg viewBox="0 0 800 100">', 10_000, 0.125],
	['<svg width="100%" height="100%" viewBox="0 0 800 100">', 10_000, 0.125],
	['<svg width="10em" height="90">', 90, 10_000],
	['<svg width="-1" height="1e999" viewBox="0 0 0 0">', 150, 10_000],
	['no picture', 150, 10_000]
])('[P3] %j is so high', (code, height, ratio) => {
	expect(extentOfSvg(code)).toEqual({ height, ratio });
});

it.each([
	[{ width: 200, height: 100 }, { height: 100, ratio: 0.5 }],
	[{ mistake: 2 }, { mistake: 2 }],
	[{ mistake: 'kind' }, { mistake: 'kind' }],
	[{ mistake: 4 }, { mistake: undefined }],
	[{ mistake: 1.5 }, { mistake: undefined }],
	[{ mistake: NaN }, { mistake: undefined }],
	[{ mistake: 'Call 555' }, undefined],
	[{ width: 1, height: 1e9 }, undefined],
	[{ width: '1', height: ['1'] }, undefined],
	[{ width: 1, height: Infinity }, undefined],
	[null, undefined],
	['100', undefined]
])('[P3] [P8] what a diagram tells of itself is read as numbers within limits: %j', (told, expected) => {
	expect(readTold(told, 'graph TD\n  A[[[\n  B')).toEqual(expected);
});

it.each(['%% Fruit\ngraph TD\n  A[[[', '\ngraph TD\n  A[[[', '---\ntitle: Fruit\n---\ngraph TD\n  A[[['])('[P3] no line is named where Mermaid does not count all of them: %j', (code) => {
	expect(readTold({ mistake: 2 }, code)).toEqual({ mistake: undefined });
});

it.each([
	['a shape', '<svg viewBox="0 0 10 10"><rect width="10" height="10"/></svg>', true],
	['a shape in a group, after a declaration', '<?xml version="1.0"?>\n<!-- A dot --><svg><g><circle cx="5" cy="5" r="5"/></g></svg>', true],
	['words', '<svg><text x="1" y="9">Pears</text></svg>', true],
	['what is defined, and used', '<svg><defs><path id="a" d="M0 0h9v9z"/></defs><use href="#a"/></svg>', true],
	['a shape whose size is in a style', '<svg><style>circle { r: 5px }</style><circle/></svg>', true],
	['a shape that grows', '<svg><circle><animate attributeName="r" to="9" dur="1s"/></circle></svg>', true],
	['a shape before a mistake', '<svg><rect width="10" height="10"/><circle r="5" </svg>', true],
	['nothing', '<svg viewBox="0 0 10 10"></svg>', false],
	['a tag that does not end', '<svg viewBox="0 0 10 10"><rect width="10" height="10"', false],
	['a quote that does not end', '<svg viewBox="0 0 10 10><rect width="10" height="10"/></svg>', false],
	['a shape without a size', '<svg><circle cx="5" cy="5"/><path d=""/></svg>', false],
	['only what is defined', '<svg><title>Pears</title><defs><rect width="10" height="10"/></defs></svg>', false],
	['no picture', 'Pears', false],
	['more than is looked through', `<svg>${'<defs>'.repeat(20_000)}`, true]
])('[P3] SVG with %s: %j', (_, code, expected) => {
	expect(canDraw(code)).toBe(expected);
});
