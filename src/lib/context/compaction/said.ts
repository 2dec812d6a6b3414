import type { Message, Part, Role } from '../../conversation/message';
import { partText } from '../../conversation/part-text';
import { previewOf } from './preview';

const speakers: Record<Role, string> = { system: 'System', user: 'User', assistant: 'Assistant', tool: 'Tool' };

/** Names the speaker of a message: `User`, `Assistant`, `Tool search, read_file`. */
export function speakerOf({ role, parts }: Pick<Message, 'role' | 'parts'>): string {
	const names = parts.flatMap((part) => (part.type === 'tool-result' ? [part.toolName] : []));
	return role === 'tool' && names.length > 0 ? `Tool ${listed(names)}` : speakers[role];
}

/** The words of a part: of a text, of what a tool returned, or what stands in for what is gone. */
export function wordsOf(part: Part): string | undefined {
	switch (part.type) {
		case 'text':
		case 'redacted':
		case 'unreadable':
			return partText(part);
		case 'tool-result':
			return (part.isError ? 'failed: ' : '') + partText(part);
		case 'reasoning':
		case 'tool-call':
		case 'file':
			return undefined;
		default:
			return part satisfies never;
	}
}

/** Describes what a message has besides words, in one short line: `calls search, read_file`, `files plan.md`. */
export function extrasOf({ parts }: Pick<Message, 'parts'>): string {
	const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolName] : []));
	const files = parts.flatMap((part) => (part.type === 'file' ? [part.name] : []));
	const extras = [calls.length > 0 ? `calls ${listed(calls)}` : '', files.length > 0 ? `files ${listed(files)}` : ''];
	return extras.filter((extra) => extra !== '').join(' · ');
}

function listed(names: string[]): string {
	return previewOf([...new Set(names)].join(', '), 80);
}
