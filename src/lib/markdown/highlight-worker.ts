import { CodeHtml } from './code-html';
import type { HighlightReply, HighlightRequest } from './highlighter';

const codeHtml = new CodeHtml();
const reply = (answer: HighlightReply) => postMessage(answer);

onmessage = ({ data }: MessageEvent<HighlightRequest>) => {
	answer(data).then(reply, (error: unknown) => reply({ failed: String(error) }));
};

async function answer({ code, name, grammar }: HighlightRequest): Promise<HighlightReply> {
	if (grammar) await codeHtml.load(name, grammar);
	reply('begins');
	return { html: await codeHtml.of(code, name) };
}
