import type { EngineInfo } from '../engine/local/load-model';

/** Says what a model on this device computes on, and how fast its last answer came, as in “on 4 threads of the processor”. */
export function engineWords({ threads, gpu, speed }: EngineInfo): string {
	const where = gpu ? `the graphics processor (WebGPU: ${gpu})` : `${threads === 1 ? 'one thread' : `${threads} threads`} of the processor`;
	if (speed === undefined) return `on ${where}`;
	return `on ${where}; its last answer came at ${speed < 10 ? speed.toFixed(1) : Math.round(speed)} tokens a second`;
}
