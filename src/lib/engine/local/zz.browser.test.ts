import wasmUrl from '@wllama/wllama/esm/wasm/wllama.wasm?url';
import { Wllama } from '@wllama/wllama/esm/index.js';
import { it } from 'vitest';
import { findDefaultWeights } from './default-weights';
const quiet = { debug() {}, log() {}, warn() {}, error(...a: unknown[]) { console.log(...a); } };
it('v', { timeout: 580_000 }, async () => {
	const weights = await findDefaultWeights(`${location.origin}/`);
	const file = new File([await (await fetch(weights!.url)).blob()], weights!.name);
	const base = { n_ctx: 2048, n_parallel: 1, n_batch: 64, n_ubatch: 64, flash_attn: false, cache_type_k: 'f32', cache_type_v: 'f32', n_gpu_layers: 0, warmup: false } as const;
	const configs = { 'noFA f32 1t': { ...base, n_threads: 1 }, 'noFA f32 2t': { ...base, n_threads: 2 }, 'FA f32 1t': { ...base, n_threads: 1, flash_attn: true }, 'FA f16 1t': { ...base, n_threads: 1, flash_attn: true, cache_type_k: 'f16', cache_type_v: 'f16' }, 'FA f32 2t': { ...base, n_threads: 2, flash_attn: true } };
	const best: Record<string, number[]> = {};
	for (let round = 0; round < 3; round++) for (const [name, params] of Object.entries(configs)) {
		const w = new Wllama({ default: wasmUrl }, { logger: quiet }); w.setCompat(null);
		const t = performance.now(); await w.loadModel([file], params as never); const load = performance.now() - t;
		let timings: any;
		await w.createChatCompletion({ messages: [{ role: 'user', content: 'The quick brown fox jumps over the lazy dog. '.repeat(15) }], stream: true, temperature: 0, max_tokens: 24, ...{ ignore_eos: true }, onData: (c) => { timings = c.timings ?? timings; } });
		const b = (best[name] ??= [1e9, 0, 0]);
		best[name] = [Math.min(b[0]!, load), Math.max(b[1]!, timings.prompt_per_second), Math.max(b[2]!, timings.predicted_per_second)];
		await w.exit();
	}
	for (const [n, b] of Object.entries(best)) console.log('RES', n, b.map((x) => x.toFixed(1)).join(' '));
});
