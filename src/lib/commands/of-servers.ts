import type { AppError } from '../shared/app-error';
import type { Candidate, CommandContext, OfServer, Outcome } from './command';

/** Things of tool servers, as a command deals with them. */
interface Kind {
	kind: 'prompt' | 'resource';
	list: (context: CommandContext) => Promise<{ found: OfServer[]; failures: AppError[] }>;
	/** Returns the command that names one, to be gone on with. */
	begun: (key: string) => string;
	take: (one: OfServer, values: Record<string, string>, context: CommandContext) => Promise<Outcome>;
}

/** The longest argument that is completed, in UTF-16 units. */
const maxTyped = 4000;

/** Does with a prompt or a resource that is named, and with what follows its name, what is done with it; lists them where none is. */
export async function runOfServers({ kind, list, begun, take }: Kind, argument: string, context: CommandContext): Promise<Outcome> {
	const [, typed = '', rest = ''] = /^(\S*)\s*([^]*)$/.exec(argument)!;
	const key = typed.toLowerCase();
	const { found, failures } = await list(context);
	const named = found.filter((one) => one.key === key);
	if (named.length === 1) return withValues(named[0]!, rest);
	const listed = named.length > 0 ? named : found;
	if (listed.length === 0) return noneFound(`${kind}s`, failures);
	// What is refused stays in the composer, with all that was written after the name.
	if (named.length === 0 && rest !== '') return { kind: 'refused', text: `There is no ${kind} “${typed}”. /${kind} lists them all.` };
	const text = key === '' || named.length > 0 ? `Which ${kind}?` : `There is no ${kind} “${typed}”. There are:`;
	return { kind: 'choose', text, choices: listed.map((one) => ({ label: one.label, detail: `${one.from} · ${one.detail}`, run: () => choose(one) })), stays: rest !== '' };

	/** Asks for what it takes, by the command that has it; else takes it at once. */
	async function choose(one: OfServer): Promise<Outcome> {
		if (rest !== '' || one.takes.length === 0) return withValues(one, rest);
		return { kind: 'compose', text: `${begun(one.key)} ${one.takes.map(({ name }) => `${name}=`).join(' ')}` };
	}

	async function withValues(one: OfServer, text: string): Promise<Outcome> {
		const values = valuesOf(text, one.takes);
		const missing = one.takes.filter(({ name, required }) => required && !Object.hasOwn(values, name));
		if (missing.length === 0) return take(one, values, context);
		const example = missing.map(({ name }) => `${name}=…`).join(' ');
		return { kind: 'refused', text: `This ${kind} needs ${missing.map(({ name }) => `“${name}”`).join(' and ')}. Write ${begun(one.key)} ${example}` };
	}
}

/** Lists what a server proposes for the value at the end of an argument. Nobody is asked before one is begun. */
export async function completeOfServers(kind: Kind['kind'], typed: string, context: CommandContext): Promise<Candidate[]> {
	if (typed.length > maxTyped) return [];
	const [, key, before, name, quoted, plain] = /^(\S+)\s([^]*?)(?<!\S)([^\s=]{1,60})=(?:"([^"]*)|([^\s"]*))$/.exec(typed) ?? [];
	if (!key?.includes(':') || name === undefined) return [];
	const value = quoted ?? plain ?? '';
	const values = await context.proposals({ kind, key: key.toLowerCase(), name, value, given: pairsOf(before!) });
	return values
		.filter((proposed) => proposed !== value)
		.map((proposed) => ({ value: `${key} ${before}${name}=${/\s/.test(proposed) ? `"${proposed}"` : proposed} `, label: proposed, detail: `for “${name}”` }));
}

/** Reads `name=value`, with quotation marks around a value of several words. Where one thing is asked for, all of it may be that. */
function valuesOf(text: string, takes: OfServer['takes']): Record<string, string> {
	const pairs = Object.entries(pairsOf(text)).filter(([name]) => takes.some((one) => one.name === name));
	const [only] = takes;
	if (pairs.length === 0 && takes.length === 1 && text !== '' && text !== `${only!.name}=`) return { [only!.name]: text };
	return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}

function pairsOf(text: string): Record<string, string> {
	return Object.fromEntries([...text.matchAll(/(?<!\S)([^\s=]+)=(?:"([^"]*)"|(\S*))/g)].map(([, name, quoted, plain]) => [name!, quoted ?? plain ?? '']));
}

/** Returns the outcome where tool servers have nothing of a kind, or can't be asked. */
function noneFound(what: string, failures: readonly AppError[]): Outcome {
	const why = failures.map(({ message }) => message).join(' ');
	return { kind: 'refused', text: why || `No tool server has ${what}. Settings is where you add one.` };
}
