import { expect, it } from 'vitest';
import { engineWords } from './engine-words';

const info = { threads: 4, contextWindow: 8192, isolated: true, template: 'file' } as const;

it('[P1] what a model computes on is said, and how fast', () => {
	expect(engineWords(info)).toBe('on 4 threads of the processor');
	expect(engineWords({ ...info, threads: 1, speed: 3.14 })).toBe('on one thread of the processor; its last answer came at 3.1 tokens a second');
	expect(engineWords({ ...info, gpu: 'Apple M5', speed: 171.4 })).toBe('on the graphics processor (WebGPU: Apple M5); its last answer came at 171 tokens a second');
});
