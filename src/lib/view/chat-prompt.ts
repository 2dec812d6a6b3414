import { conversations } from '../app/conversations';
import { defaultPrompt } from '../app/default-prompt';
import { beginning } from './beginning.svelte';
import { nameOfLeft } from './left-behind';
import { Live } from './live.svelte';
import { TypedText } from './typed-text.svelte';

/** The system prompt of one chat, or of a new one. */
export class ChatPrompt {
	private readonly live: Live<{ inForce: string; next: string | undefined } | undefined>;

	constructor(readonly sessionId: string | undefined) {
		this.live = new Live(async () => (sessionId === undefined ? { inForce: await defaultPrompt.asTyped(), next: undefined } : conversations.prompts.read(sessionId)));
	}

	/** The text that is sent first now; of a new chat, the default. Undefined while loading, and where there is no such chat. */
	get inForce(): string | undefined {
		return this.live.current?.inForce;
	}

	/** The text that counts from the next message on; undefined where that is the one in force. */
	get next(): string | undefined {
		return this.sessionId === undefined ? beginning.current.systemPrompt : this.live.current?.next;
	}

	/** The text that the next message is sent with, as it was typed; undefined while loading. */
	get text(): string | undefined {
		return this.inForce === undefined ? undefined : (this.next ?? this.inForce);
	}

	/** Puts this in the place of what was typed for a new chat. */
	async write(text: string): Promise<void> {
		beginning.change({ systemPrompt: text === (await defaultPrompt.asTyped()) ? undefined : text });
	}
}

const fields = new Map<string, TypedText>();

/** The field of the prompt that the next message of a chat brings, which is stored as it is typed. */
export function promptField(sessionId: string): TypedText {
	const made = () => new TypedText((next) => conversations.prompts.change(sessionId, next), () => nameOfLeft('prompt', sessionId), 'the system prompt of this chat');
	const field = fields.get(sessionId) ?? made();
	fields.set(sessionId, field);
	return field;
}
