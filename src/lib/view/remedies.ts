import { budgetSpent } from '../conversation/budget';

/** A way to put right what a turn failed by, beside trying again: the server's key, a look at what is in its way, the settings of the chat's model and its tools, another model, a larger budget, or room. */
export type Remedy = 'key' | 'doctor' | 'settings' | 'model' | 'budget' | 'space';

const remedies: Readonly<Record<string, readonly Remedy[]>> = {
	'server-unauthorised': ['key', 'doctor', 'model'],
	'key-unfit': ['key'],
	'server-blocked': ['doctor', 'model'],
	'server-denied': ['doctor', 'model'],
	'server-down': ['doctor', 'model'],
	'server-html': ['doctor', 'model'],
	'server-insecure': ['doctor', 'model'],
	'server-nonsense': ['doctor', 'model'],
	'server-redirects': ['doctor', 'model'],
	'server-slow': ['doctor'],
	'parameter-refused': ['settings', 'model'],
	'tools-refused': ['settings', 'model'],
	[budgetSpent]: ['budget'],
	'disk-full': ['space']
};

/** Failures that another model may not have: most stay what they are with the same one. */
const ofModel: ReadonlySet<string> = new Set([
	'context-full',
	'no-source',
	'model-absent',
	'model-not-fetched',
	'model-refuses',
	'model-gone',
	'model-too-large',
	'model-unloadable',
	'model-storage-refused',
	'out-of-memory',
	'gguf-damaged',
	'gguf-unsupported',
	'engine-crashed',
	'offline',
	'provider-unknown',
	'server-absent',
	'server-address',
	'server-busy',
	'server-error',
	'server-not-found',
	'server-refused'
]);

/** Returns what can be done about a failure of this code, the likeliest first. */
export function remediesOf(code: string): readonly Remedy[] {
	return (Object.hasOwn(remedies, code) && remedies[code]) || (ofModel.has(code) ? ['model'] : []);
}

/** Tells whether it can be found out why a server that was to be connected to failed with this code. */
export function canBeExamined(code: string): boolean {
	return remediesOf(code).includes('doctor') || ['server-not-found', 'server-refused'].includes(code);
}
