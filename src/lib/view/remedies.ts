/** A way to put right what a turn failed by, beside trying again: the server's key, what the server must allow, the tools of the chat, another model, or room. */
export type Remedy = 'key' | 'cors' | 'tools' | 'model' | 'space';

const remedies: Readonly<Record<string, readonly Remedy[]>> = {
	'server-unauthorised': ['key', 'model'],
	'key-unfit': ['key'],
	'server-blocked': ['cors', 'model'],
	'tools-refused': ['tools', 'model'],
	'disk-full': ['space']
};

/** Failures that stay what they are with the same model. */
const ofModel: ReadonlySet<string> = new Set([
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
	'provider-unknown',
	'server-absent',
	'server-address',
	'server-down',
	'server-error',
	'server-html',
	'server-insecure',
	'server-nonsense',
	'server-not-found',
	'server-redirects',
	'server-refused'
]);

/** Returns what can be done about a failure of this code, the likeliest first. */
export function remediesOf(code: string): readonly Remedy[] {
	return (Object.hasOwn(remedies, code) && remedies[code]) || (ofModel.has(code) ? ['model'] : []);
}
