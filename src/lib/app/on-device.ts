import wasmUrl from '@wllama/wllama/esm/wasm/wllama.wasm?url';
import { findGpu } from '../engine/local/find-gpu';
import { OnDevice } from '../engine/local/on-device';
import { newId } from '../shared/id';
import { setDeviceState } from './device-state';
import { clock, models, settings } from './environment';

/** The models on this device, from an address or a file to answers. */
export const onDevice = new OnDevice(async () => {
	const [{ ModelFiles }, { WllamaEngine }] = await Promise.all([
		import('../engine/local/model-files'),
		import('../engine/local/wllama-engine')
	]);
	const files = new ModelFiles({
		table: models,
		storage: navigator.storage,
		locks: navigator.locks,
		clock,
		newId,
		createWorker: () => new Worker(new URL('../engine/local/model-files-worker.ts', import.meta.url), { type: 'module' })
	});
	const gpu = async () => ((await settings.get('processorOnly')) ? undefined : findGpu());
	return { files, engine: new WllamaEngine(wasmUrl, undefined, gpu) };
});

onDevice.subscribe(() => setDeviceState(onDevice.state));
