import { isLoopback } from '../../shared/server-address';
import { kindAt, serverKinds, type Instruction, type ServerKind } from '../providers/server-kinds';
import { isKnownToBeLocal, isMixed, needsPermission } from '../providers/unreachable';
import { unreached, type Facts, type Outcome, type Patient } from './facts';

/** One thing that was looked at, and how it is. */
export interface Check {
	outcome: 'ok' | 'failed' | 'unknown';
	text: string;
}

/** Instructions for one kind of server. */
export interface InstructionsOfKind {
	name: string;
	instructions: Instruction[];
}

/** An account of what is in the way, and of what can be done. */
export interface Diagnosis {
	/** True where nothing is. */
	isWell: boolean;
	/** The thing in the way, in a sentence or two. */
	cause: string;
	/** All that was looked at, in an order in which each stands on those before it: the last one is in the way. */
	checks: Check[];
	instructions: Instruction[];
	/** Instructions for kinds that this server could be of as well. */
	others: InstructionsOfKind[];
}

/** A check, and what is told where it is in the way. */
interface Step extends Check {
	cause?: string;
	instructions?: Instruction[];
	others?: InstructionsOfKind[];
}

/** The rules, each of which looks at one thing. The first that finds something in the way is the last that is asked. */
const rules: readonly ((facts: Facts) => Step[])[] = [encryption, permission, presence, redirect, origin, headers, session, use];

/** Says what is in the way of a server that does not answer, and what can be done. */
export function diagnose(facts: Facts): Diagnosis {
	const steps: Step[] = [];
	for (const rule of rules) {
		for (const step of rule(facts)) {
			steps.push(step);
			if (step.cause !== undefined) break;
		}
		if (steps.at(-1)?.cause !== undefined) break;
	}
	const { cause, instructions = [], others = [] } = steps.at(-1) ?? {};
	const { page, patient } = facts;
	return {
		isWell: cause === undefined,
		cause: cause ?? `${patient.url.host} answers now.`,
		checks: steps.map(({ outcome, text }) => ({ outcome, text })),
		instructions: isLoopback(patient.url) ? ownSystemFirst(instructions, page.system) : instructions,
		others
	};
}

/** Puts what is for the page’s own system first. */
function ownSystemFirst(instructions: Instruction[], system: Facts['page']['system']): Instruction[] {
	const isOwn = (instruction: Instruction) => system !== undefined && instruction.system === system;
	return [...instructions.filter(isOwn), ...instructions.filter((instruction) => !isOwn(instruction))];
}

/** Tells whether a request was let through and answered, with whatever. */
function isAnswered(outcome: Outcome): boolean {
	return outcome !== 'unreachable' && outcome !== 'slow';
}

/** Tells whether the server answered anything at all. */
function isReached({ rungs, failure, foundAt }: Facts): boolean {
	return foundAt !== undefined || rungs.some(({ outcome }) => isAnswered(outcome)) || !(failure && unreached.has(failure.code));
}

/** Encryption: a page from https:// may reach nothing without. */
function encryption(facts: Facts): Step[] {
	const { page, patient, permission, failure } = facts;
	const { url } = patient;
	if (!page.origin.startsWith('https:') || url.protocol !== 'http:') return [];
	if (isReached(facts)) return [{ outcome: 'ok', text: 'The browser lets this page reach a server that is not encrypted.' }];
	if (failure?.code === 'server-insecure') {
		const byNumber = permission !== undefined && !isKnownToBeLocal(url) ? [{ text: 'Where it is in your network, enter it by its number, such as http://192.168.1.5:11434/v1: the browser lets a page reach that once you allow it.' }] : [];
		return [
			{
				outcome: 'failed',
				text: 'The browser lets this page reach no server that is not encrypted (http://), but on this computer.',
				cause: failure.message,
				instructions: [...byNumber, { text: 'Give the server an https:// address, in its own settings or by a proxy before it.' }, { text: 'Or run Snug on this computer, from its own folder: it opens at http://127.0.0.1:4747/.', line: 'npm start' }]
			}
		];
	}
	if (!isMixed(url, page.origin) && page.isWebKit) return [{ outcome: 'unknown', text: 'Safari may let a page from https:// reach no http:// address, on this computer either.' }];
	return [];
}

/** The permission to reach into the network, or the computer, that the server is in. */
function permission(facts: Facts): Step[] {
	const { page, patient, permission, failure } = facts;
	if (!needsPermission(patient.url, page.origin)) return [];
	const place = isLoopback(patient.url) ? 'servers on this computer' : 'your local network';
	if (isReached(facts)) return [{ outcome: 'ok', text: `The browser lets this page reach ${place}.` }];
	if (!page.isSecure) return [{ outcome: 'unknown', text: `Browsers may let only pages from https:// reach ${place}.` }];
	if (permission === 'granted') return [{ outcome: 'ok', text: `The browser lets this page reach ${place}.` }];
	if (permission === undefined) return [];
	const isDenied = permission === 'denied';
	return [
		{
			outcome: 'failed',
			text: isDenied ? `The browser does not let this page reach ${place}.` : `The browser has not let this page reach ${place} yet.`,
			cause: isDenied && failure?.code === 'server-denied' ? failure.message : `You have to allow this page to reach ${place}.`,
			instructions: [
				isDenied
					? { text: 'Open the settings of this site, by the icon before its address, allow it access to the local network or to apps on the device, then try again.' }
					: { text: 'Try again, and choose “Allow” when the browser asks.' }
			]
		}
	];
}

/** The presence of a server. */
function presence(facts: Facts): Step[] {
	const { patient, rungs, isThere, failure } = facts;
	const { url } = patient;
	const running: Step = { outcome: 'ok', text: `A server is running at ${url.host}.` };
	if (isReached(facts) || isThere) return [running];
	if (rungs.some(({ outcome }) => outcome === 'slow') || failure?.code === 'server-slow') {
		const held = isLoopback(url) ? [] : [{ text: 'Where it is on another computer, check that a firewall there lets others in, and that it listens for them.' }];
		return [
			{
				outcome: 'failed',
				text: `${url.host} sent nothing for several seconds.`,
				cause: `${url.host} is silent: it may be busy, as with loading a model, or something holds requests back.`,
				instructions: [{ text: 'Wait a moment, then try again.' }, ...held]
			}
		];
	}
	if (failure?.code === 'offline') return [{ outcome: 'failed', text: 'This browser has no network.', cause: failure.message, instructions: [{ text: 'Connect, then try again.' }] }];
	if (isThere === undefined) return [{ outcome: 'unknown', text: `The browser does not tell whether a server is running at ${url.host}.` }];
	return [{ outcome: 'failed', text: `No server answers at ${url.host}.`, cause: failure?.message ?? `Nothing answers at ${url.host}.`, ...byKind(patient, (kind) => kind.start(!isLoopback(url)), [{ text: 'Start the server, and check its address and port.' }]) }];
}

/** A redirect, which is not followed with words or a key. */
function redirect({ patient, rungs, failure }: Facts): Step[] {
	if (failure?.code !== 'server-redirects' && !rungs.some(({ outcome }) => outcome === 'redirected')) return [];
	const { protocol, host, pathname } = patient.url;
	const slash = patient.has === 'tools' ? [{ text: 'Try it with the slash at its end the other way.', line: `${protocol}//${host}${pathname.endsWith('/') ? pathname.slice(0, -1) : `${pathname}/`}` }] : [];
	const encrypted = protocol === 'http:' ? [{ text: 'Many redirect to their encrypted address.', line: `https://${host}${pathname}` }] : [];
	return [
		{
			outcome: 'failed',
			text: `${host} redirects to another address.`,
			cause: `${host} redirects to another address, which a page can’t see. Snug sends neither your words nor a key there.`,
			instructions: [{ text: 'Enter the address that it redirects to.' }, ...encrypted, ...slash]
		}
	];
}

/** The right of a page of this origin to read what the server answers. */
function origin({ page, patient, rungs, isThere, failure, foundAt }: Facts): Step[] {
	const { url, service } = patient;
	// Servers often let pages in at the right path only.
	if (foundAt !== undefined || rungs.slice(0, 1).some(({ outcome }) => isAnswered(outcome)) || !(failure && unreached.has(failure.code))) return [{ outcome: 'ok', text: 'It lets this page read its answers (Access-Control-Allow-Origin).' }];
	if (service !== undefined) {
		const cause = `${service} lets every page in, so something between holds requests back: an extension of the browser, a filter in the network, or the connection.`;
		return [{ outcome: 'failed', text: `This page can’t read what ${url.host} answers.`, cause, instructions: [{ text: 'Switch extensions off for this page, or use another network, then try again.' }] }];
	}
	const allow = byKind(patient, (kind) => kind.allow(page.origin), toSend(page.origin, patient));
	if (isThere) {
		return [{ outcome: 'failed', text: `It does not let a page of ${page.origin} read its answers (Access-Control-Allow-Origin).`, cause: failure?.message ?? `${url.host} does not allow requests from this page.`, ...allow }];
	}
	const secure = !page.isSecure && needsPermission(url, page.origin) ? [{ text: 'Open Snug from an https:// address, or run it on this computer.' }] : [];
	return [
		{
			outcome: 'unknown',
			text: `This page can’t read what ${url.host} answers.`,
			cause: `${url.host} is not running, or does not allow requests from this page.`,
			...allow,
			instructions: [{ text: 'Check that it is running at this address.' }, ...secure, ...allow.instructions]
		}
	];
}

/** Reasons for the headers of requests. */
const carries: Readonly<Record<string, string>> = {
	'content-type': 'which all that you send has',
	authorization: 'which carries your key',
	'x-api-key': 'which carries your key',
	'x-goog-api-key': 'which carries your key'
};

/** The headers that requests have, each of which a server must allow. */
function headers({ page, patient, rungs }: Facts): Step[] {
	return rungs.flatMap(({ header, outcome }, index): Step[] => {
		if (header === undefined) return [];
		const name = inCapitals(header);
		if (isAnswered(outcome)) return [{ outcome: 'ok', text: `It allows the header ${name}.` }];
		const first = index === 1 ? ' It must also answer the question that browsers ask before (OPTIONS), without a key.' : '';
		return [
			{
				outcome: 'failed',
				text: `It does not allow the header ${name} (Access-Control-Allow-Headers).`,
				cause: `${patient.url.host} lets this page in, but not with the header ${name}, ${carries[header] ?? 'which its protocol asks for'}.${first}`,
				instructions: [...toSend(page.origin, patient), ...(header === 'authorization' ? [{ text: 'A * in the place of the headers does not stand for Authorization in every browser.' }] : [])]
			}
		];
	});
}

/** The session that a tool server keeps, which the page must be able to name. */
function session({ page, patient, hidesSession }: Facts): Step[] {
	if (!hidesSession) return [];
	return [
		{
			outcome: 'failed',
			text: 'It does not let this page read the header Mcp-Session-Id (Access-Control-Expose-Headers).',
			cause: `${patient.url.host} keeps sessions, but does not let this page read which one is its own: Access-Control-Expose-Headers lacks Mcp-Session-Id.`,
			instructions: toSend(page.origin, patient)
		}
	];
}

/** The use of a server that lets this page in: the key, the path, and what it answers. */
function use({ patient, rungs, failure, foundAt }: Facts): Step[] {
	const { url, has } = patient;
	if (foundAt !== undefined) {
		return [{ outcome: 'failed', text: `It has no ${has} at this address.`, cause: `${url.host} has its ${has} at another path.`, instructions: [{ text: 'Enter this address.', line: foundAt }] }];
	}
	if (!failure) return [{ outcome: 'ok', text: `It lists its ${has}.` }];
	if (failure.code === 'server-unauthorised') return [refusal(patient, rungs.some(({ outcome }) => outcome === 403))];
	return [{ outcome: 'failed', text: `It does not list its ${has}.`, cause: failure.message }];
}

/** The refusal of a key, or of a request without one; `isForbidden` (403) may have another reason. */
function refusal({ url: { host }, has, hasKey }: Patient, isForbidden: boolean): Step {
	const [key, place] = has === 'models' ? ['API key', 'choose the model'] : ['token', 'add the tool server'];
	const also = isForbidden ? [{ text: 'It may also refuse this page, or the address that it is asked at: look at its log.' }] : [];
	return hasKey
		? {
				outcome: 'failed',
				text: `It does not accept the ${key}.`,
				cause: isForbidden ? `${host} refuses the request (403): the ${key} may not be allowed to do this.` : `${host} does not accept the ${key}.`,
				instructions: [{ text: `Check the ${key}, or make a new one there, and enter it where you ${place}.` }, ...also]
			}
		: {
				outcome: 'failed',
				text: `It answers nothing without ${key === 'token' ? 'a' : 'an'} ${key}.`,
				cause: isForbidden ? `${host} refuses the request (403): it may ask for ${key === 'token' ? 'a' : 'an'} ${key}.` : `${host} asks for ${key === 'token' ? 'a' : 'an'} ${key}.`,
				instructions: [{ text: `Enter the ${key} where you ${place}.` }, ...also]
			};
}

/** Instructions for the kind that usually listens at this port, and for all kinds that it could be besides. */
function byKind({ url, has, service }: Patient, of: (kind: ServerKind) => Instruction[], otherwise: Instruction[]): { instructions: Instruction[]; others: InstructionsOfKind[] } {
	if (has === 'tools' || service !== undefined) return { instructions: otherwise, others: [] };
	const kind = kindAt(url);
	if (kind?.ownPort) return { instructions: of(kind), others: [] };
	const others = serverKinds.filter((other) => other !== kind).map((other) => ({ name: other.name, instructions: of(other) }));
	if (!kind) return { instructions: otherwise, others };
	const instructions = of(kind).map((instruction) => ({ ...instruction, text: `If it is ${kind.name}: ${instruction.text}` }));
	return { instructions, others: [...others, { name: 'Another server', instructions: otherwise }] };
}

/** Returns what a server must send so that a page of `origin` can use it. */
function toSend(origin: string, { has, headers }: Patient): Instruction[] {
	const all = [`Access-Control-Allow-Origin: ${origin}`, `Access-Control-Allow-Headers: ${headers.map(inCapitals).join(', ')}`];
	const common: Instruction = { text: 'The server, or a proxy before it, must send these headers, also before it asks for a key.', line: (has === 'tools' ? [...all, 'Access-Control-Expose-Headers: Mcp-Session-Id'] : all).join('\n') };
	if (has === 'models') return [common];
	return [
		common,
		{ text: 'In a server of JavaScript with Express, add this before its routes.', line: `app.use(cors({ origin: '${origin}', exposedHeaders: ['Mcp-Session-Id'] }));` },
		{
			text: 'In a server of Python with Starlette, as FastMCP has it, add this.',
			line: `app.add_middleware(CORSMiddleware, allow_origins=["${origin}"], allow_methods=["GET", "POST", "DELETE"], allow_headers=["*"], expose_headers=["Mcp-Session-Id"])`
		}
	];
}

/** A header's name as it is usually written. */
function inCapitals(header: string): string {
	return header.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
