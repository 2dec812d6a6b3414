// The engine of the app with the weights that the host offers, and nothing around it.
import '../../../src/lib/shared/trusted-types';
import wasmUrl from '@wllama/wllama/esm/wasm/wllama.wasm?url';
import { findDefaultWeights } from '../../../src/lib/engine/local/default-weights';
import type { EngineInfo } from '../../../src/lib/engine/local/load-model';
import { WllamaEngine, type AnswerCounts } from '../../../src/lib/engine/local/wllama-engine';

declare global {
	interface Window {
		/** Loads the model. `seconds` are those of the load itself; the file is in the browser by then. */
		loadModel: () => Promise<EngineInfo & { seconds: number }>;
		/** Answers `question` with at most `maxTokens` tokens, always the same ones. */
		answer: (question: string, maxTokens: number) => Promise<AnswerCounts>;
	}
}

const engine = new WllamaEngine(wasmUrl);

window.loadModel = async () => {
	const weights = await findDefaultWeights(`${location.origin}/`);
	if (!weights) throw new Error('the host offers no weights');
	const file = new File([await (await fetch(weights.url)).blob()], weights.name);
	const model = {
		id: 'bench',
		name: weights.name,
		bytes: file.size,
		sha256: '',
		architecture: 'llama',
		contextLength: 2048,
		hasChatTemplate: true,
		createdAt: 0
	};
	const start = performance.now();
	const info = await engine.load(model, file);
	return { ...info, seconds: (performance.now() - start) / 1000 };
};

window.answer = async (question, maxTokens) => {
	const options = { maxTokens, temperature: 0, seed: 1 };
	for await (const event of engine.answer([{ role: 'user', content: question }], options)) {
		if (event.type === 'end') return event.counts;
	}
	throw new Error('the answer had no end');
};
