import { canBeTyped } from './server-tool';

/** The longest template of an address, in characters, and the most that is put into it. */
const maxLength = 2000;
const maxVariables = 20;

/** Returns what a template of an address (RFC 6570) is filled with, in its order; undefined where that can't be typed, or is too much. What comes behind a `?` may be left out. */
export async function variablesOf(template: string): Promise<{ name: string; required: boolean }[] | undefined> {
	if (template.length > maxLength) return undefined;
	const { UriTemplate } = await import('@modelcontextprotocol/client');
	let names: string[];
	try {
		names = [...new Set(new UriTemplate(template).variableNames)];
	} catch {
		// A server's template may be none.
		return undefined;
	}
	if (names.length === 0 || names.length > maxVariables || !names.every(canBeTyped)) return undefined;
	const optional = [...template.matchAll(/\{[?&]([^{}]*)\}/g)].flatMap(([, list]) => list!.split(',').map((name) => name.replace(/\*$/, '').trim()));
	return names.map((name) => ({ name, required: !optional.includes(name) }));
}

/** Returns the address that comes of a template. */
export async function fill(template: string, values: Record<string, string>): Promise<string> {
	const { UriTemplate } = await import('@modelcontextprotocol/client');
	return new UriTemplate(template).expand(values);
}
