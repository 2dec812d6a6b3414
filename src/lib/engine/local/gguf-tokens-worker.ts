import { serveTokenizer, type WorkerScope } from '../tokens/remote-tokenizer';
import type { GgufSource } from './gguf';
import { ggufTokenizer } from './gguf-tokenizer';
import { readVocabulary } from './gguf-vocabulary';

serveTokenizer(globalThis as unknown as WorkerScope<GgufSource>, async (file) => {
	const vocabulary = await readVocabulary(file);
	return vocabulary && ggufTokenizer(vocabulary);
});
