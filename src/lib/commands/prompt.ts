import { asMessageText } from '../conversation/as-message-text';
import { fitInFields } from '../shared/fit-in-fields';
import type { Command, CommandContext, OfServer, Outcome } from './command';
import { completeOfServers, runOfServers } from './of-servers';

/** A prompt of a tool server, put where the message is written: the user reads it, and sends it or does not. [R1] */
export const promptCommand: Command = {
	name: 'prompt',
	usage: '/prompt <server:prompt> [name=value]',
	summary: 'Write a prompt of a tool server into the message',
	run: (argument, context) => runOfServers({ kind: 'prompt', list: ({ prompts }) => prompts(), begun: (key) => `/${key}`, take: write }, argument, context),
	complete: (_, context, typed) => completeOfServers('prompt', typed, context)
};

async function write(prompt: OfServer, values: Record<string, string>, context: CommandContext): Promise<Outcome> {
	const text = await context.wordsOf(prompt, values);
	const [isFit] = fitInFields([text]);
	// A server writes messages, and no commands.
	return isFit ? { kind: 'compose', text: asMessageText(text) } : { kind: 'refused', text: 'This prompt is too long to be written into a message.' };
}
