import * as v from 'valibot';
import { characterStart } from '../shared/shorten';
import type { ToolPorts } from './ports';
import { errorResult, makeTool, type Tool, type ToolResult } from './tool';

/** The longest address, in UTF-16 units: what it says goes to the host, and the user is to read it before. */
const longestAddress = 2000;

/** The longest name of a host, in characters (RFC 1035 §2.3.4, without the last dot). */
const longestHost = 253;

/** The most text of a page that one call gives, in UTF-16 units. */
const longestText = 40_000;

/** The output for the model. */
export interface FetchPageOutput {
	text: string;
	/** The place from which the next call goes on, where this is not the end. */
	next_start?: number;
}

/** The tool `fetch_page`: the text of a page of the web. The user is asked before, and may allow a host for good, no more. */
export function createTool({ readPage }: Pick<ToolPorts, 'readPage'>): Tool {
	return makeTool({
		name: 'fetch_page',
		description:
			`Fetches a page of the web and gives its text, up to ${longestText} characters at a time. Call it with an address that the user or a page named. ` +
			'Many hosts let no other site read their pages; where that is so, ask the user for the text.',
		input: v.object({ url: v.string(), start: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0) }),
		inputSchema: {
			type: 'object',
			properties: {
				url: { type: 'string', maxLength: longestAddress, description: 'The whole address, with https://.' },
				start: { type: 'integer', minimum: 0, description: 'The next_start of the call before, to read on. 0 if absent.' }
			},
			required: ['url'],
			additionalProperties: false
		},
		effect: 'network',
		asks: 'permission',
		preview: ({ url }) => Promise.resolve(withAddress(url, ({ href, host, origin, protocol }) => ({ sentence: `Fetch ${href}\nThe host ${host} is told this address and where Snug runs, and nothing else.`, scope: protocol === 'https:' ? host : origin }))),
		run: async ({ url, start }, { signal }) =>
			withAddress(url, async (address): Promise<ToolResult> => {
				const text = await readPage(address, signal);
				const from = characterStart(text, Math.min(start, text.length));
				const end = characterStart(text, Math.min(from + longestText, text.length));
				const output: FetchPageOutput = { text: text.slice(from, end), ...(end < text.length && { next_start: end }) };
				return { output, isError: false };
			})
	});
}

/** Does `work` with an address; the error result where it is none of the web, or has a name and a password in it. */
function withAddress<Result>(url: string, work: (address: URL) => Result): Result | ToolResult {
	if (url.length > longestAddress) return errorResult(`The address is longer than ${longestAddress} characters. Nothing was fetched.`);
	const address = URL.canParse(url) ? new URL(url) : undefined;
	if (!address || !/^https?:$/.test(address.protocol)) return errorResult('The address is not one of the web. Give all of it, with https://.');
	if (address.hostname.length > longestHost) return errorResult('The address has a host that no name can be of. Nothing was fetched.');
	if (address.username !== '' || address.password !== '') return errorResult('The address has a name or a password in it. Leave them out.');
	address.hash = '';
	return work(address);
}
