import { expect, it } from 'vitest';
import { openAiCompatible } from './openai-compatible';
import { requestBody } from './request-body';
import { openAt } from './server-provider';

it('[S7] gives the body that a server would be sent, and sends nothing', async () => {
	const provider = { id: 'p', name: 'P', baseUrl: 'http://127.0.0.1:9/v1', createdAt: 0 };
	const reach = { origin: 'http://localhost', isThere: () => Promise.resolve(false) };
	const body = await requestBody(async (fetch) => (await openAt(openAiCompatible, provider, 'parrot', { reach, fetch })).model, {
		prompt: [
			{ role: 'system', content: 'Be brief.' },
			{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }
		],
		temperature: 0.5
	});
	expect(body).toMatchObject({
		model: 'parrot',
		temperature: 0.5,
		messages: [
			{ role: 'system', content: 'Be brief.' },
			{ role: 'user', content: 'Hi' }
		]
	});
});
