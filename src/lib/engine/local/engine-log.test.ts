import { expect, test } from 'vitest';
import { EngineLog } from './engine-log';

test('[P8] what the engine says of a file is read in no time, also where it is made to be slow to read', () => {
	const log = new EngineLog(60_000);
	log.expectNothing();
	const name = `a${'. '.repeat(20_000)}b`;
	log.error(`error loading model: unknown architecture ${name}. \n`);
	const began = performance.now();
	expect(log.reason).toBe(`unknown architecture ${name}`);
	expect(performance.now() - began).toBeLessThan(1000);
});
