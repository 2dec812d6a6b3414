import { expect, it } from 'vitest';
import { extentOfSvg, isEmptySvg, readTold } from './preview';

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
	['<svg><path d="M0 0"/></svg>', false],
	['<?xml version="1.0"?><SVG width="3">\n<G><circle r="1"></SVG>', false],
	['<svg></svg>', true],
	['<svg viewBox="0 0 1 1"> <!-- none --> </svg>', true],
	['<svg viewBox="0 0 1 1"><circle r="1"', true],
	['<svg viewBox="0 0 1 1" <circle r="1"/></svg>', true],
	['a circle', true]
])('[P3] %j draws nothing: %s', (code, expected) => {
	expect(isEmptySvg(code)).toBe(expected);
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
