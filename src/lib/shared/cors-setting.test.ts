import { expect, it } from 'vitest';
import { corsSetting } from './cors-setting';

it('[P11] what to set for CORS is what Ollama, LM Studio and other servers take', () => {
	const of = (address: string) => corsSetting(new URL(address), 'https://snug.example');
	expect(of('http://localhost:11434/v1')).toBe('OLLAMA_ORIGINS=https://snug.example');
	expect(of('http://localhost:1234/v1')).toBe('lms server start --cors');
	expect(of('https://models.example/v1')).toBe('Access-Control-Allow-Origin: https://snug.example');
});
