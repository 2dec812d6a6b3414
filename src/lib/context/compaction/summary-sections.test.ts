import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costGrowth } from '../../../../tests/fixtures/growth';
import { summaryPrompt } from './summary-prompt';
import { CircleWatch, isUseful, mergeSections, parseSections, writeSections, type Sections } from './summary-sections';

const none: Sections = { files: [], decisions: [], values: [], state: [], tasks: [] };

const wordCount = (text: string) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** Summaries as models write them: any heading, any bullet, thoughts, fences, text in between. */
const written = fc
	.array(
		fc.oneof(
			fc.constantFrom(
				...['## Files modified', '**Key Decisions:**', '1. Important values', '### 4) **State**', 'Next steps:', '- Todo:', '# Summary'],
				...['## Notes', '- a.ts: new', '* b', '1. c', '  and more', '- None', 'None.', '', '- [ ] d', '- - e', '+', '•  f', '---', '#12'],
				...['```markdown', '```', '<think>', '</think>', '<thi', 'nk>', 'Status: running', '- Files: g', '- **Files:** h', 'a\u2028b'],
				...['\t- i', '> j', '[COMPACTION SUMMARY]', '[COMPACTION', '  SUMMARY]']
			),
			fc.string({ maxLength: 12 })
		),
		{ maxLength: 25 }
	)
	.chain((lines) => fc.constantFrom(lines.join('\n'), lines.join('\r\n')));

describe('parseSections', () => {
	it('[S6] reads back what writeSections wrote', () => {
		fc.assert(
			fc.property(written, (text) => {
				const sections = parseSections(text);
				expect(parseSections(writeSections(sections))).toEqual(sections);
			}),
			{ numRuns: 2000 }
		);
	}, 30_000);

	it('[S6] takes no bullet for a heading in what writeSections wrote', () => {
		const sections = { ...none, decisions: ['Todo:', '**Files:** a.ts', 'Files modified: a.ts', '## Pending tasks'], values: ['- x', '1. y'] };
		expect(parseSections(writeSections(sections))).toEqual(sections);
	});

	it.each([
		['## Files modified\n- a.ts: new\n\n## Pending tasks\n- None', { files: ['a.ts: new'] }],
		['**Files Modified:**\n* a.ts\n* b.ts\n**Next steps**\n1. Test\n2. Ship', { files: ['a.ts', 'b.ts'], tasks: ['Test', 'Ship'] }],
		['1. FILES MODIFIED:\n   - a.ts\n2. Key decisions\n   - Use Dexie', { files: ['a.ts'], decisions: ['Use Dexie'] }],
		['### 1. **Files**\na.ts\n### 2. **Decisions**\nDexie', { files: ['a.ts'], decisions: ['Dexie'] }],
		['- **Files modified:** a.ts, b.ts\n- **Current state:** works', { files: ['a.ts, b.ts'], state: ['works'] }],
		['- Files modified: a.ts', { files: ['a.ts'] }],
		['Files: a.ts\nTodo: test', { files: ['a.ts'], tasks: ['test'] }],
		['## Key decisions\n- State: kept in Dexie', { decisions: ['State: kept in Dexie'] }],
		['## User preferences\n- Short answers', { decisions: ['Short answers'] }],
		['We moved it.\n\nNow it works.', { state: ['We moved it.', 'Now it works.'] }],
		['Sure! Here is the summary:\n\n## Files modified\n- a.ts', { files: ['a.ts'] }],
		['It works.\n## Files modified\n- a.ts', { state: ['It works.'], files: ['a.ts'] }],
		['## Notes\n- Rainy', { state: ['Rainy'] }],
		['#12 is fixed', { state: ['#12 is fixed'] }],
		['```markdown\n## Files modified\n- a.ts\n```', { files: ['a.ts'] }],
		['<think>\n## Files modified\n- no.ts\n</think>\n## Files modified\n- a.ts', { files: ['a.ts'] }],
		['Well, I think\n</think>\n## Files modified\n- a.ts', { files: ['a.ts'] }],
		['## Files modified\n- a.ts\n<think>and now', { files: ['a.ts'] }],
		['## Files modified\n- a.ts, which\n  is new\n- b.ts', { files: ['a.ts, which is new', 'b.ts'] }],
		['## Pending tasks\nNone.\n## Current state\n- N/A\n## Files modified\n(none)', {}],
		['', {}]
	] as [string, Partial<Sections>][])('[S6] reads %j', (text, sections) => {
		expect(parseSections(text)).toEqual({ ...none, ...sections });
	});

	it.each<[string, (size: number) => string]>([
		...['<think>', '</think>', '#', '- ', '* ', '**', '1. ', '- Files: ', 'a\n', '\n', '  a\n', '_', '> ', '` ', ':', 'None!'].map((piece) => {
			const text = (size: number) => piece.repeat(size / piece.length);
			return [JSON.stringify(piece), text] as [string, (size: number) => string];
		}),
		...['*', '_', '#', '* ', ' '].map((mark) => {
			const text = (size: number) => `${mark.repeat(size / mark.length)}x`;
			return [`${JSON.stringify(mark)} that end in a word`, text] as [string, (size: number) => string];
		}),
		['a fence, blanks and no language', (size) => `\`\`\`${' '.repeat(size)}!`],
		['a fence, blanks, a word and blanks', (size) => `\`\`\`${' '.repeat(size)}${'w'.repeat(size)}${' '.repeat(size)}!`],
		['bullets without an end', (size) => `- a\n${' b\n'.repeat(size / 3)}`]
	])('[P8] takes the time that the text takes, of %s', (_, text) => {
		const read = (text: string) => writeSections(mergeSections([parseSections(text)]));
		expect(costGrowth(4000, text, read)).toBeLessThan(8);
	}, 60_000);
});

describe('mergeSections', () => {
	it('[S6] has every bullet once, in the order of the pieces, and the last state', () => {
		const one = { ...none, files: ['a.ts', 'b.ts'], state: ['Begun'], tasks: ['Test  it'] };
		const two = { ...none, files: ['B.ts', 'c.ts'], state: ['Done', 'done'], tasks: ['test it', 'Ship'] };
		expect(mergeSections([one, two, { ...none, values: ['12'] }])).toEqual({
			files: ['a.ts', 'b.ts', 'c.ts'],
			decisions: [],
			values: ['12'],
			state: ['Done'],
			tasks: ['Test  it', 'Ship']
		});
		expect(mergeSections([])).toEqual(none);
	});
});

describe('writeSections', () => {
	const words = fc.array(fc.constantFrom('word', 'src/a.ts', '–', '12', '字字'), { minLength: 1, maxLength: 60 });
	const list = fc.array(words.map((words) => words.join(' ')), { maxLength: 30 });
	const sections: fc.Arbitrary<Sections> = fc.record({ files: list, decisions: list, values: list, state: list, tasks: list });

	it('[S6] always has the five headings, and fewer than 600 words', () => {
		fc.assert(
			fc.property(sections, fc.integer({ min: 20, max: 600 }), (sections, max) => {
				const summary = writeSections(sections, max);
				expect(wordCount(summary)).toBeLessThan(max);
				expect(wordCount(writeSections(sections))).toBeLessThan(600);
				expect(summary.split('\n').filter((line) => line.startsWith('## '))).toEqual([
					'## Files modified',
					'## Key decisions',
					'## Important values',
					'## Current state',
					'## Pending tasks'
				]);
			})
		);
	});

	it('[S6] leaves out no more than it must: the oldest of the longest section first', () => {
		fc.assert(
			fc.property(sections, (sections) => {
				const kept = parseSections(writeSections(sections));
				for (const name of Object.keys(sections) as (keyof Sections)[]) {
					const all = sections[name].filter((words) => words !== '–' && /[^–\s]/.test(words));
					const own = kept[name].map((words) => words.replace(/…$/, ''));
					expect(all.slice(all.length - own.length).every((words, index) => words.startsWith(own[index]!))).toBe(true);
				}
			})
		);
		const long = Array.from({ length: 100 }, (_, index) => `bullet number ${index} of a long list of files`);
		const kept = parseSections(writeSections({ ...none, files: long, tasks: ['Test it'] }));
		expect(kept.tasks).toEqual(['Test it']);
		expect(kept.files.at(-1)).toBe(long.at(-1));
		expect(wordCount(writeSections({ ...none, files: long }))).toBeGreaterThan(580);
	});

	it('[P8] takes the time that the sections take, of bullets without end', () => {
		const list = (size: number) => ({ ...none, files: Array.from({ length: size }, (_, at) => `a${at}`) });
		expect(costGrowth(5000, list, (sections) => writeSections(sections))).toBeLessThan(8);
	}, 120_000);

	it('[S6] says that there is nothing, and cuts a bullet that alone is too long', () => {
		const titles = ['Files modified', 'Key decisions', 'Important values', 'Current state', 'Pending tasks'];
		expect(writeSections(none)).toBe(titles.map((title) => `## ${title}\n- None`).join('\n\n'));
		const summary = writeSections({ ...none, state: ['word '.repeat(2000).trim()] });
		expect(summary).toContain('word word…');
		expect(wordCount(summary)).toBe(599);
	});
});

describe('CircleWatch', () => {
	const goesInCircles = (text: string) => new CircleWatch().add(text);

	const lines = ['- The shed is 240 cm wide.', '- The floor is larch.', '- The door is 80 cm wide.'];
	const long = [...lines, '- The roof is green.', '- The budget is 1850 euros.', '- Screws, not nails.', '- No window.'];

	it.each([
		['one line', Array.from({ length: 8 }, () => lines[0]!)],
		['some lines', [...lines, ...lines, ...lines]],
		['many lines', ['## Current state', ...long, ...long]],
		['one sentence', [`It is ${'I am a helpful assistant. '.repeat(9)}`]]
	])('[S6] is so for %s over and over', (_, text) => expect(goesInCircles(`${text.join('\n')}\n`)).toBe(true));

	it.each([
		['empty sections', writeSections(none)],
		['what is said twice', [...long, ...lines].join('\n')],
		['a list that grows', Array.from({ length: 40 }, (_, number) => `- File ${number} is done.`).join('\n')],
		['nothing', '']
	])('[S6] is not so for %s', (_, text) => expect(goesInCircles(`${text}\n`)).toBe(false));

	it('[S6] sees the same however the text comes in', () => {
		const piece = fc.constantFrom(...lines, '- No', 'ne', '1. a', '\n', '. ', '!?', ' ', 'a', '- a\n', 'a\n');
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 40, size: 'max' }), (deltas) => {
				const watch = new CircleWatch();
				for (const [index, delta] of deltas.entries()) expect(watch.add(delta)).toBe(goesInCircles(deltas.slice(0, index + 1).join('')));
			})
		);
	});

	it.each<[string, (at: number) => string]>([
		['sentences', (at) => `word${at} is a. `],
		['words without an end', () => 'word '],
		['nothing', () => '']
	])('[P8] takes the time that the text takes, of a great many pieces with %s', (_, piece) => {
		const watched = (deltas: string[]) => {
			const watch = new CircleWatch();
			return deltas.map((delta) => watch.add(delta));
		};
		expect(costGrowth(1000, (size) => Array.from({ length: size }, (_, at) => piece(at)), watched)).toBeLessThan(8);
	}, 60_000);
});

describe('isUseful', () => {
	const told = 'The person is called Ada and wants the list sorted by date.';

	it('[S6] is so where something was said', () => {
		expect(isUseful({ ...none, state: [told] })).toBe(true);
		expect(isUseful({ ...none, values: ['src/a.ts', 'port 5173', 'ABC-123'], decisions: ['Dexie is the only truth there'] })).toBe(true);
	});

	it.each([
		['too short', { state: ['We talked about the list.'] }],
		['nothing', {}],
		['one bullet over and over', { files: Array.from({ length: 12 }, () => told) }],
		['one phrase over and over', { state: ['I am a helpful assistant. '.repeat(30)] }],
		['the instructions', parseSections(summaryPrompt('', { piece: 1, pieces: 1 }).user.split('</conversation>')[1]!)]
	])('[S6] is not so for %s', (_, sections) => expect(isUseful({ ...none, ...sections })).toBe(false));
});
