import { conversations } from '../app/conversations';
import { defaultPrompt } from '../app/default-prompt';
import { beginning } from './beginning';
import { Live } from './live.svelte';
import { promptField } from './prompt-field';
import type { TypedText } from './typed-text.svelte';

/** The system prompt of one chat, or of a new one. */
export class ChatPrompt {
	private readonly live: Live<{ inForce: string; next: string | undefined } | undefined>;
	private readonly field: TypedText | undefined;

	/** Made in an effect's scope: what a page that has gone could not write of it is written as long as that lasts. */
	constructor(readonly sessionId: string | undefined) {
		this.live = new Live(async () => (sessionId === undefined ? { inForce: await defaultPrompt.asTyped(), next: undefined } : conversations.prompts.read(sessionId)));
		this.field = sessionId === undefined ? undefined : promptField(sessionId);
		$effect(() => {
			if (this.text !== undefined) this.field?.follow(this.text);
		});
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

	/** The text as its field shows it, also where it is not stored yet. */
	get typed(): string {
		return (this.field ? this.field.text : this.text) ?? '';
	}

	/** Puts this in the place of what was typed. It may be read back at once. */
	type(text: string): void {
		if (!this.field) beginning.change({ systemPrompt: text === this.inForce ? undefined : text });
		else {
			this.field.text = text;
			this.field.changed();
		}
	}
}
