import { DefaultPrompt } from '../storage/default-prompt';
import { db } from './environment';

/** The system prompt of new chats. */
export const defaultPrompt = new DefaultPrompt(db);
