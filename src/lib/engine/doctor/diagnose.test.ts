import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../shared/app-error';
import { diagnose, type Diagnosis } from './diagnose';
import type { Facts, Outcome, Patient } from './facts';

const page = { origin: 'https://snug.example', isSecure: true, isWebKit: false };
const names = ['content-type', 'authorization'];
const failed = (code: string) => new AppError(code, `Sentence of ${code}.`);
/** Requests up to the first that fails: `count` of them are answered. */
const rungs = (count: number, outcome: Outcome = 200) =>
	[undefined, ...names].slice(0, count + 1).map((header, index) => ({ ...(header && { header }), outcome: index < count ? outcome : ('unreachable' as const) }));

interface Case extends Partial<Omit<Facts, 'patient'>> {
	at?: string;
	patient?: Partial<Patient>;
}

const facts = ({ at = 'http://localhost:11434/v1', patient, ...found }: Case): Facts => ({
	page,
	patient: { url: new URL(at), has: 'models', hasKey: true, headers: names, ...patient },
	permission: 'granted',
	isThere: true,
	rungs: rungs(3),
	failure: undefined,
	...found
});
const of = (found: Case) => diagnose(facts(found));
const linesOf = ({ instructions }: Pick<Diagnosis, 'instructions'>) => instructions.flatMap(({ line }) => line ?? []);
const down = { rungs: rungs(0), isThere: false, failure: failed('server-down') };
const blocked = { rungs: rungs(0), isThere: true, failure: failed('server-blocked') };

describe('diagnose', () => {
	it('[P11] finds nothing in the way of a server that answers', () => {
		expect(of({})).toMatchObject({ isWell: true, cause: 'localhost:11434 answers now.', instructions: [], others: [] });
	});

	it('[P11] where nothing is there, tells how the usual server of that port is started', () => {
		expect(of(down)).toMatchObject({ isWell: false, cause: 'Sentence of server-down.', instructions: [{ line: 'ollama serve' }], others: [] });
		const own = of({ ...down, at: 'http://localhost:8080/v1' });
		expect(linesOf(own)).toEqual(['llama-server -m model.gguf --port 8080']);
		expect(own.others.map(({ name }) => name)).toEqual(['Ollama', 'LM Studio', 'vLLM', 'Another server']);
		expect(linesOf(of({ ...down, page: { ...page, origin: 'http://snug.lan' }, at: 'http://192.168.1.5:11434/v1' }))).toContain('OLLAMA_HOST="0.0.0.0" ollama serve');
	});

	it('[P11] where CORS is in the way, gives the line for each kind of server', () => {
		expect(linesOf(of(blocked))).toContain('launchctl setenv OLLAMA_ORIGINS "https://snug.example"');
		expect(linesOf(of({ ...blocked, at: 'http://localhost:1234/v1' }))).toEqual(['lms server start --cors']);
		expect(linesOf(of({ ...blocked, at: 'http://localhost:8080/v1' }))).toEqual(['--cors-origins https://snug.example']);
		expect(linesOf(of({ ...blocked, at: 'http://localhost:8000/v1' }))).toEqual([`--allowed-origins '["https://snug.example"]'`]);
		const other = of({ ...blocked, at: 'https://models.example/v1' });
		expect(linesOf(other)).toEqual(['Access-Control-Allow-Origin: https://snug.example\nAccess-Control-Allow-Headers: Content-Type, Authorization']);
		expect(other.others.map(({ name }) => name)).toEqual(['Ollama', 'LM Studio', 'llama.cpp', 'vLLM']);
	});

	it('[P11] what runs on this computer is set as on its system first', () => {
		for (const [system, line] of [['linux', /^sudo mkdir/], ['mac', /^launchctl/], ['windows', /^setx/]] as const) {
			expect(linesOf(of({ ...blocked, page: { ...page, system } }))[0]).toMatch(line);
		}
	});

	it('[P11] of a tool server names the headers to allow and to expose, also as its libraries have it', () => {
		const lines = linesOf(of({ ...blocked, at: 'http://localhost:8000/mcp', patient: { has: 'tools', headers: ['authorization', 'mcp-session-id'] } }));
		expect(lines[0]).toBe('Access-Control-Allow-Origin: https://snug.example\nAccess-Control-Allow-Headers: Authorization, Mcp-Session-Id\nAccess-Control-Expose-Headers: Mcp-Session-Id');
		expect(lines[1]).toContain("origin: 'https://snug.example'");
		expect(lines[2]).toContain('allow_origins=["https://snug.example"]');
	});

	it('[P11] names the header that is not allowed', () => {
		const failure = failed('server-blocked');
		expect(of({ rungs: rungs(1), failure }).cause).toContain('not with the header Content-Type, which all that you send has. It must also answer the question');
		const last = of({ rungs: rungs(2), failure });
		expect(last.cause).toContain('not with the header Authorization, which carries your key.');
		expect(last.checks.map(({ outcome }) => outcome).slice(-3)).toEqual(['ok', 'ok', 'failed']);
		// Also where the list of models asks for no leave, and only what one writes would.
		expect(of({ rungs: rungs(1) }).isWell).toBe(false);
	});

	it('[P11] tells a permission that was denied from one that was not given yet, and from none', () => {
		expect(of({ ...down, permission: 'denied', failure: failed('server-denied') })).toMatchObject({ cause: 'Sentence of server-denied.' });
		expect(of({ ...down, permission: 'prompt' }).cause).toBe('You have to allow this page to reach servers on this computer.');
		expect(of({ ...down, permission: undefined }).cause).toBe('Sentence of server-down.');
		// A page of this computer needs none to reach it.
		expect(of({ ...down, permission: 'prompt', page: { ...page, origin: 'http://localhost:4747' } }).cause).toBe('Sentence of server-down.');
	});

	it('[P11] a page from https:// and a server without encryption', () => {
		const insecure = { rungs: rungs(0), isThere: false, failure: failed('server-insecure'), at: 'http://nas:11434/v1' };
		expect(of(insecure)).toMatchObject({ cause: 'Sentence of server-insecure.', checks: [{ outcome: 'failed' }] });
		expect(of(insecure).instructions[0]!.text).toContain('by its number');
		expect(of({ ...insecure, permission: undefined }).instructions[0]!.text).not.toContain('by its number');
		expect(of({ ...down, page: { ...page, isWebKit: true } }).checks[0]).toMatchObject({ outcome: 'unknown', text: expect.stringContaining('Safari') });
	});

	it('[P11] redirects, silence, keys and paths', () => {
		expect(of({ rungs: rungs(3, 'redirected'), failure: failed('server-redirects') }).instructions.map(({ line }) => line)).toContain('https://localhost:11434/v1');
		const tools = of({ rungs: rungs(3, 'redirected'), failure: failed('server-redirects'), at: 'https://models.example/mcp', patient: { has: 'tools' } });
		expect(linesOf(tools)).toEqual(['https://models.example/mcp/']);
		expect(of({ rungs: rungs(3, 'slow'), failure: failed('server-slow'), isThere: false }).cause).toContain('is silent');
		expect(of({ failure: failed('server-unauthorised') }).cause).toBe('localhost:11434 does not accept the API key.');
		expect(of({ failure: failed('server-unauthorised'), patient: { hasKey: false } }).cause).toBe('localhost:11434 asks for an API key.');
		expect(of({ failure: failed('server-unauthorised'), rungs: rungs(3, 403) }).cause).toContain('(403)');
		expect(of({ failure: failed('server-not-found'), foundAt: 'http://localhost:11434/v1' })).toMatchObject({ instructions: [{ line: 'http://localhost:11434/v1' }] });
		expect(of({ ...blocked, foundAt: 'http://localhost:11434/v1' })).toMatchObject({ instructions: [{ line: 'http://localhost:11434/v1' }] });
		expect(of({ failure: failed('server-nonsense') })).toMatchObject({ cause: 'Sentence of server-nonsense.' });
		expect(of({ failure: failed('server-refused'), hidesSession: true, patient: { has: 'tools' } }).cause).toContain('Access-Control-Expose-Headers lacks Mcp-Session-Id');
	});

	it('[P11] where it can’t be told whether it is there, says both, and a service is not told what to allow', () => {
		expect(of({ ...blocked, isThere: undefined })).toMatchObject({ cause: 'localhost:11434 is not running, or does not allow requests from this page.' });
		expect(of({ ...blocked, at: 'https://api.openai.com/v1', patient: { service: 'OpenAI' } }).cause).toMatch(/^OpenAI lets every page in/);
	});

	it('[P11] whatever was found, one thing is in the way, told last, and nothing is said twice', () => {
		const outcome = fc.constantFrom<Outcome>(200, 401, 403, 404, 500, 'unreachable', 'slow', 'redirected', 'broke-off', 'too-large');
		const code = fc.constantFrom('server-insecure', 'server-denied', 'server-blocked', 'server-down', 'server-slow', 'offline', 'server-redirects', 'server-unauthorised', 'server-not-found', 'server-html', 'bug');
		const any = fc.record({
			at: fc.constantFrom('http://localhost:11434/v1', 'http://127.0.0.1:8000/mcp', 'http://192.168.1.5:8080', 'https://models.example/v1', 'http://nas.lan:1234/v1', 'http://[::1]:9/'),
			page: fc.record({ origin: fc.constantFrom('https://snug.example', 'http://127.0.0.1:4747', 'http://192.168.1.2:4747'), isSecure: fc.boolean(), isWebKit: fc.boolean(), system: fc.constantFrom('mac', 'linux', 'windows', undefined) }),
			patient: fc.record({ has: fc.constantFrom('models', 'tools'), hasKey: fc.boolean(), service: fc.constantFrom(undefined, 'OpenAI'), headers: fc.subarray(names) }),
			permission: fc.constantFrom('granted', 'denied', 'prompt', undefined),
			isThere: fc.constantFrom(true, false, undefined),
			rungs: fc.tuple(fc.nat(3), outcome).map(([count, end]) => rungs(count, end)),
			failure: fc.option(code.map(failed), { nil: undefined }),
			foundAt: fc.constantFrom(undefined, 'http://localhost:11434/v1'),
			hidesSession: fc.boolean()
		}) as fc.Arbitrary<Case>;
		fc.assert(
			fc.property(any, (found) => {
				const { isWell, cause, checks, instructions, others } = of(found);
				expect(cause).not.toBe('');
				expect(checks.length).toBeGreaterThan(0);
				expect(checks.slice(0, -1).map(({ outcome }) => outcome)).not.toContain('failed');
				if (isWell) {
					expect(checks.at(-1)!.outcome).toBe('ok');
					expect(found.failure ?? found.foundAt).toBeUndefined();
					expect(instructions).toEqual([]);
				} else expect(checks.at(-1)!.outcome).not.toBe('ok');
				for (const texts of [checks, instructions, ...others.map((other) => other.instructions)].map((list) => list.map(({ text }) => text))) expect(new Set(texts).size).toBe(texts.length);
				for (const line of linesOf({ instructions })) expect(line).not.toMatch(/undefined|\[object/);
			}),
			{ numRuns: 2000 }
		);
	});
});
