import { asMessageText } from '../conversation/unsent';
import { fitInFields } from '../shared/fit-in-fields';
import type { Command, CommandContext, Outcome, ServerPrompt } from './command';
import { noneFound } from './of-servers';

/** A prompt of a tool server, put where the message is written: the user reads it, and sends it or does not. [R1] */
export const promptCommand: Command = {
	name: 'prompt',
	usage: '/prompt <server:prompt> [name=value]',
	summary: 'Write a prompt of a tool server into the message',
	async run(argument, context) {
		const [, key = '', rest = ''] = /^(\S*)\s*([^]*)$/.exec(argument)!;
		const { found, failures } = await context.prompts();
		const named = found.filter((prompt) => prompt.key === key.toLowerCase());
		if (named.length === 1) return write(named[0]!, rest, context);
		const listed = named.length > 0 ? named : found;
		if (listed.length === 0) return noneFound('prompts', failures);
		// What is refused stays in the composer, with all that was written after the name.
		if (named.length === 0 && rest !== '') return { kind: 'refused', text: `There is no prompt “${key}”. /prompt lists them all.` };
		const text = key === '' || named.length > 0 ? 'Which prompt?' : `There is no prompt “${key}”. There are:`;
		const chosen = (prompt: ServerPrompt) => (rest === '' ? begin(prompt, context) : write(prompt, rest, context));
		return { kind: 'choose', text, choices: listed.map((prompt) => ({ label: prompt.label, detail: `${prompt.from} · ${prompt.detail}`, run: () => chosen(prompt) })) };
	}
};

/** Asks for what a prompt takes, by the command that has it; else writes it at once. */
function begin(prompt: ServerPrompt, context: CommandContext): Promise<Outcome> {
	if (prompt.takes.length === 0) return write(prompt, '', context);
	return Promise.resolve({ kind: 'compose', text: `/${prompt.key} ${prompt.takes.map(({ name }) => `${name}=`).join(' ')}` });
}

async function write(prompt: ServerPrompt, rest: string, context: CommandContext): Promise<Outcome> {
	const values = valuesOf(rest, prompt.takes);
	const missing = prompt.takes.filter(({ name, required }) => required && !values[name]);
	if (missing.length > 0) {
		const example = missing.map(({ name }) => `${name}=…`).join(' ');
		return { kind: 'refused', text: `This prompt needs ${missing.map(({ name }) => `“${name}”`).join(' and ')}. Write /${prompt.key} ${example}` };
	}
	const text = await context.wordsOf(prompt, values);
	const [isFit] = fitInFields([text]);
	// A server writes messages, and no commands.
	return isFit ? { kind: 'compose', text: asMessageText(text) } : { kind: 'refused', text: 'This prompt is too long to be written into a message.' };
}

/** Reads `name=value`, with quotation marks around a value of several words. Where one thing is asked for, all of it may be that. */
function valuesOf(text: string, takes: ServerPrompt['takes']): Record<string, string> {
	const pairs = [...text.matchAll(/(?<!\S)([^\s=]+)=(?:"([^"]*)"|(\S*))/g)].map(([, name, quoted, plain]) => [name!, quoted ?? plain ?? ''] as const).filter(([name]) => takes.some((one) => one.name === name));
	const [only] = takes;
	if (pairs.length === 0 && takes.length === 1 && text !== '') return { [only!.name]: text };
	return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}
