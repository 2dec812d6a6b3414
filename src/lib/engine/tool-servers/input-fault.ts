import { shorten } from '../../shared/shorten';

/**
 * Says what is wrong with the input of a call, as a sentence, or undefined. It is checked against the top of its schema: that it is an object with what
 * it needs, of the types that are named. A server checks the rest itself. All of a stranger's schema could take for ever: patterns, and references
 * to themselves.
 */
export function inputFault(input: unknown, schema: unknown): string | undefined {
	if (typeof input !== 'object' || input === null || Array.isArray(input)) return 'The input is not an object.';
	const { properties, required, additionalProperties } = schema as Record<string, unknown>;
	const missing = Array.isArray(required) ? required.find((name) => typeof name === 'string' && !Object.hasOwn(input, name)) : undefined;
	if (missing !== undefined) return `“${shorten(String(missing), 60)}” in the input is missing.`;
	const known = typeof properties === 'object' && properties !== null ? (properties as Record<string, unknown>) : {};
	for (const [name, value] of Object.entries(input)) {
		const named = `“${shorten(name, 60)}” in the input`;
		if (!Object.hasOwn(known, name)) {
			if (additionalProperties === false) return `${named} is not known.`;
			continue;
		}
		const type = (known[name] as { type?: unknown } | null)?.type;
		const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string');
		if (types.length > 0 && !types.some((one) => isOf(one, value))) return `${named} is not of the type ${shorten(types.join(' or '), 60)}.`;
	}
	return undefined;
}

/** Tells whether a value is of a type of JSON Schema; of one that is not known, it is. */
function isOf(type: string, value: unknown): boolean {
	switch (type) {
		case 'string':
		case 'number':
		case 'boolean':
			return typeof value === type;
		case 'integer':
			return Number.isInteger(value);
		case 'null':
			return value === null;
		case 'array':
			return Array.isArray(value);
		case 'object':
			return typeof value === 'object' && value !== null && !Array.isArray(value);
		default:
			return true;
	}
}
