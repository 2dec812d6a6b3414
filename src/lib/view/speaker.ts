import type { Message } from '../conversation/message';
import { plainName } from '../shared/file-name';
import { readableToolName } from '../shared/server-tool-name';
import { shorten } from '../shared/shorten';
import { maxSegments } from './message-segments';

/** The length of the longest such name, in UTF-16 units. */
const longest = 200;

const speakers = { system: 'System prompt', user: 'You', assistant: 'Assistant', tool: 'Tool' };

/** Returns the name that a message has on the screen: who said it, or the tools whose results it has. */
export function speakerOf({ role, parts }: Pick<Message, 'role' | 'parts'>): string {
	if (role !== 'tool') return speakers[role];
	const names = new Set(parts.slice(0, maxSegments).flatMap((part) => (part.type === 'tool-result' ? [plainName(readableToolName(part.toolName))] : [])));
	return shorten(`Tool ${[...names].join(', ')}`.trim(), longest);
}
