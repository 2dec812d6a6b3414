import { filesOf, textOf, type Message, type Role } from '../conversation/message';
import { plainName } from '../shared/file-name';
import { readableToolName } from '../shared/server-tool-name';
import { columns, cut } from './columns';
import type { Command } from './command';
import { sessionHere } from './here';
import { countIn } from './count-in';

/** [S3] */
export const historyCommand: Command = {
	name: 'history',
	usage: '/history [n]',
	summary: 'Show how the last 10 (or n) messages begin',
	alone: 'Show the last messages',
	needs: 'chat',
	async run(argument, context) {
		const limit = countIn(argument, '-n', '/history 10') ?? 10;
		const { id } = await sessionHere(context);
		const messages = await context.newestMessages(id, limit);
		return { kind: 'text', listing: columns(messages.map((message) => [names[message.role], beginningOf(message)])) };
	}
};

const names: Record<Role, string> = { system: 'System', user: 'You', assistant: 'Assistant', tool: 'Tool' };

/** The first line of a message, or what it is made of where there is no text. */
function beginningOf(message: Message): string {
	const line = textOf(message)
		.split('\n')
		.find((line) => line.trim() !== '');
	if (line !== undefined) return cut(line, 120);
	const files = filesOf(message);
	if (files.length > 0 && message.role !== 'tool') return cut(`(${files.map(({ name }) => name).join(', ')})`, 120);
	const [part] = message.parts;
	switch (part?.type) {
		case 'tool-call':
			return `(calls ${plainName(readableToolName(part.toolName))})`;
		case 'tool-result':
			return `(result of ${plainName(readableToolName(part.toolName))})`;
		case 'redacted':
			return '(text erased)';
		case 'unreadable':
			return '(unreadable)';
		case 'text':
		case 'reasoning':
		case 'file':
		case undefined:
			return '(no text)';
		default:
			return part satisfies never;
	}
}
