import type { ModelParameters } from '../../conversation/model-parameters';
import type { Source } from '../../storage/tables/source';

/** Choices for a chat before its first message. */
export interface ChatBeginning {
	systemPrompt?: string;
	parameters?: ModelParameters;
	/** Name of the persona that these were put there by; '' for none in the place of the workspace's. */
	persona?: string;
	/** The model that answers, whichever is chosen for new chats. */
	source?: Source;
	/** Names of the tools that its model may call. */
	tools?: string[];
	/** Names of those that don't ask before each call. */
	allowedTools?: string[];
}
