import { expect, test } from 'vitest';
import { fellSilent, run } from './run.mjs';

/** Runs a script with Node, and returns its exit code and what it printed. */
async function runScript(script: string, options: { maxSilence?: number } = {}) {
	let printed = '';
	const code = await run(process.execPath, ['-e', script], { ...options, print: (text) => (printed += String(text)) });
	return { code, printed };
}

test('run resolves with the exit code of a program, and hands its output on', async () => {
	expect(await runScript('console.log("a"); console.error("b"); process.exitCode = 3')).toEqual({ code: 3, printed: 'a\nb\n' });
});

test('run stops a program that prints nothing any more, also where what that has started lives on', async () => {
	const script = 'require("child_process").spawn(process.execPath, ["-e", "setTimeout(() => {}, 20000)"], { stdio: "inherit" }); console.log("a"); setInterval(() => {}, 1000)';
	expect(await runScript(script, { maxSilence: 2000 })).toEqual({ code: fellSilent, printed: 'a\n' });
});

test('run leaves a program alone that goes on printing', async () => {
	const script = 'let left = 25; const timer = setInterval(() => { console.log("a"); if (--left === 0) clearInterval(timer); }, 200)';
	expect(await runScript(script, { maxSilence: 3000 })).toEqual({ code: 0, printed: 'a\n'.repeat(25) });
});
