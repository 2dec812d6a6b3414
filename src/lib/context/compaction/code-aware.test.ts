import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeAware } from './code-aware';
import { splitFences } from './fences';
import { fence, messages, prose, returning, saying } from '../../../../tests/fixtures/compaction-sources';
import type { Message } from '../../conversation/message';

function summaryOf(messages: Message[], max: number): string {
	const strategy = codeAware();
	messages.forEach(strategy.add);
	return strategy.text(max);
}

function fencesIn(text: string): string[] {
	return splitFences(text).flatMap(({ kind, text }) => (kind === 'fence' ? [text.replace(/\n$/, '')] : []));
}

const role = fc.constantFrom('user' as const, 'assistant' as const);
const told = fc.array(fc.tuple(role, fc.array(fc.oneof(prose, fence), { maxLength: 4 })), { maxLength: 15 });
const coded = told.map((list) => list.map(([role, pieces]) => saying(role, pieces.join('\n\n'))));

function sourcesOf(messages: Message[]): string[] {
	return messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? fencesIn(part.text) : [])));
}

describe('codeAware', () => {
	it('[Z6] keeps every fence as it was written where there is room', () => {
		fc.assert(
			fc.property(coded, (messages) => {
				const summary = summaryOf(messages, 100_000);
				expect(fencesIn(summary)).toEqual(sourcesOf(messages));
				expect(summary).not.toContain('left out');
			})
		);
	});

	it('[Z6] never cuts a fence, keeps some of the newest, and has a line for each older one that is listed', () => {
		fc.assert(
			fc.property(coded, fc.nat(4000), (messages, max) => {
				const [summary, sources] = [summaryOf(messages, max), sourcesOf(messages)];
				const kept = fencesIn(summary);
				expect(kept.filter((fence) => !sources.includes(fence))).toEqual([]);
				const newest = sources.at(-1);
				const isLast = newest !== undefined && messages.at(-1)!.parts.some((part) => part.type === 'text' && part.text.endsWith(newest));
				if (isLast && newest.length + 60 < max / 2) expect(kept.at(-1)).toBe(newest);
			}),
			{ numRuns: 500 }
		);
	});

	it('[Z6] puts a line in the place of older code', () => {
		const code = (name: string) => `Here:\n\`\`\`ts\n${`${name}();\n`.repeat(40)}\`\`\``;
		const summary = summaryOf([saying('assistant', code('older')), saying('user', 'Go on.'), saying('assistant', code('newer'))], 600);
		const lines = ['Assistant: Here:', '[code left out: 40 lines of ts]', 'User: Go on.', 'Assistant: Here:', '```ts'];
		expect(summary.split('\n').slice(0, 5)).toEqual(lines);
		expect(summary).toContain(`\`\`\`ts\n${'newer();\n'.repeat(40)}\`\`\``);
	});

	it('[Z6] leaves out code that alone is too long, and keeps what is older', () => {
		const summary = summaryOf([saying('user', '~~~\nsmall\n~~~'), saying('assistant', `\`\`\`\n${'x\n'.repeat(5000)}\`\`\``)], 500);
		expect(summary).toBe('User:\n~~~\nsmall\n~~~\nAssistant:\n[code left out: 5000 lines]');
	});

	it('previews the prose around code, closes what was left open, and reads what tools return', () => {
		const long = 'word '.repeat(60);
		expect(summaryOf([saying('assistant', `${long}\n\`\`\`\`js\na\n${long}`), returning('See\n~~~\nb\n~~~\nthere')], 2000)).toBe(
			[
				`Assistant: ${'word '.repeat(19)}word…`,
				`\`\`\`\`js\na\n${long}`,
				'````',
				'Tool search: See',
				'~~~\nb\n~~~',
				'Tool search: there'
			].join('\n')
		);
	});

	it('says how many messages are not there, and where the oldest is not whole', () => {
		const three = ['one', 'two', 'three'].map((name) => `${name}\n\`\`\`\n${name}\n\`\`\``).join('\n');
		const summary = summaryOf([saying('user', 'Gone.'), saying('user', three)], 80);
		expect(summary).toBe('1 earlier message is not listed.\n…\n```\ntwo\n```\nUser: three\n```\nthree\n```');
	});

	it('lists messages without code as simple does', () => {
		fc.assert(
			fc.property(messages, (messages) => {
				const plain = messages.filter(({ parts }) => !/```|~~~/.test(JSON.stringify(parts)));
				const summary = summaryOf(plain, 100_000);
				expect(summary === '' ? 0 : summary.split('\n').length).toBe(plain.length);
			})
		);
	});
});
