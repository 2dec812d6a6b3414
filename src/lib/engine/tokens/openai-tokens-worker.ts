import type { OpenAiEncoding } from './openai-encoding';
import { openAiTokenizer } from './openai-tokens';
import { serveTokenizer, type WorkerScope } from './remote-tokenizer';

serveTokenizer(globalThis as unknown as WorkerScope<OpenAiEncoding>, openAiTokenizer);
