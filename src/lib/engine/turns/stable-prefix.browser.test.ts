import wasmUrl from '@wllama/wllama/esm/wasm/wllama.wasm?url';
import { expect, it } from 'vitest';
import { tinyGguf } from '../../../../tests/fixtures/tiny-gguf.mjs';
import { estimateCounter } from '../../context/estimate';
import { selectContext } from '../../context/select';
import { defaultContextSettings } from '../../conversation/context-settings';
import type { Message, Role } from '../../conversation/message';
import { WllamaEngine } from '../local/wllama-engine';
import { toMessages } from '../providers/to-messages';
import { toPrompt } from './prompt';

// One thread: several wait for each other where the machine is busy, and nothing here is about them.
Object.defineProperty(navigator, 'hardwareConcurrency', { value: 1 });

const turns = 40;

function message(role: Role, depth: number, text: string): Message {
	return { id: `m${depth}`, sessionId: 's', parentId: `m${depth - 1}`, depth, role, parts: [{ type: 'text', text }], createdAt: 0 };
}

/** Converses with the engine on this device, and adds up what it reported of its prompts. */
async function converse(slack: number): Promise<{ prompt: number; cached: number }> {
	const engine = new WllamaEngine(wasmUrl);
	const model = { id: 'tiny', name: 'Tiny', bytes: 1, sha256: '', architecture: 'llama', contextLength: 2048, hasChatTemplate: true, createdAt: 0 };
	await engine.load(model, new File([tinyGguf()], 'tiny.gguf'));
	const sum = { prompt: 0, cached: 0 };
	const path: Message[] = [];
	try {
		for (let turn = 0; turn < turns; turn++) {
			path.push(message('user', path.length + 1, `River ${turn}?`));
			const plan = selectContext({
				system: 'Be brief.',
				path,
				olderKept: [],
				unread: { count: 0, covered: 0 },
				boundary: undefined,
				pins: new Set(),
				excludes: new Set(),
				settings: { ...defaultContextSettings, responseReserve: 32 },
				window: 448,
				toolTokens: 0,
				overhead: 8,
				environment: '',
				// The tiny model’s vocabulary is little more than bytes: a token is about a letter.
				count: estimateCounter(2),
				slack
			});
			const { messages } = toMessages(await toPrompt(plan, new Map()));
			let text = '';
			for await (const event of engine.answer(messages, { maxTokens: 6, temperature: 0 })) {
				if (event.type === 'text') text += event.delta;
				if (event.type === 'end') {
					sum.prompt += event.counts.inputTokens;
					sum.cached += event.counts.cachedTokens;
				}
			}
			path.push(message('assistant', path.length + 1, text));
		}
	} finally {
		engine.unload();
	}
	return sum;
}

it('[S4] a window that moves in strides keeps its prompts in memory, where a sliding one reads them again', { timeout: 300_000 }, async () => {
	const [strides, sliding] = [await converse(0.25), await converse(0)];
	const share = ({ prompt, cached }: { prompt: number; cached: number }) => cached / prompt;
	for (const [name, sum] of Object.entries({ strides, sliding })) {
		console.log(`${name}: ${sum.cached} of ${sum.prompt} prompt tokens were cached (${(share(sum) * 100).toFixed(0)} %) over ${turns} turns`);
	}
	expect(share(strides)).toBeGreaterThan(2 * share(sliding));
});
