import type { OnDeviceState } from '../engine/local/on-device';

const listeners = new Set<() => void>();
let current: OnDeviceState = { phase: 'idle' };

/** The state of the models on this device, also while the part that runs them is not loaded, which waits until it is needed. */
export const deviceState = {
	get current(): OnDeviceState {
		return current;
	},
	/** Calls `listener` after each change, as long as the page lives. */
	subscribe(listener: () => void): void {
		listeners.add(listener);
	}
};

/** Tells another state. To be called by the part that runs the models. */
export function setDeviceState(state: OnDeviceState): void {
	current = state;
	for (const listener of listeners) listener();
}
