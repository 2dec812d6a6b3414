import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolCallReader, type AnswerPiece } from './tool-calls';
import { bare, functionGemma, gemma, listed, tagged, type IsText, type ToolFormat } from './tool-formats';

const call = (toolName: string, input: unknown): AnswerPiece => ({ type: 'tool-call', toolName, input: typeof input === 'string' ? input : JSON.stringify(input) });
const text = (delta: string): AnswerPiece => ({ type: 'text', delta });
const isText: IsText = (_, parameter) => parameter !== 'days';

/** Reads an answer in these pieces. Texts that follow one another are one. */
function read(format: ToolFormat, deltas: string[]): AnswerPiece[] {
	const reader = new ToolCallReader(format, isText);
	const pieces: AnswerPiece[] = [];
	for (const piece of [...deltas.flatMap((delta) => reader.push(delta)), ...reader.end()]) {
		const last = pieces.at(-1);
		if (piece.type === 'text' && last?.type === 'text') pieces[pieces.length - 1] = text(last.delta + piece.delta);
		else pieces.push(piece);
	}
	return pieces;
}

interface Recorded {
	model: string;
	format: ToolFormat;
	answer: string;
	pieces: AnswerPiece[];
}

const weather = { city: 'Bonn', days: 2 };

/** Answers in the form that the chat template of each model asks for. */
const recorded: Recorded[] = [
	{
		model: 'Qwen 2.5',
		format: tagged,
		answer: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Bonn", "days": 2}}\n</tool_call>',
		pieces: [call('get_weather', weather)]
	},
	{
		// Its thoughts, between `<think>` marks, are told apart by the engine.
		model: 'Qwen 3, which calls twice',
		format: tagged,
		answer:
			'I look it up.\n\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Bonn", "days": 2}}\n</tool_call>\n' +
			'<tool_call>\n{"name": "current_time", "arguments": {}}\n</tool_call>',
		pieces: [text('I look it up.\n\n'), call('get_weather', weather), call('current_time', {})]
	},
	{
		model: 'Qwen 3.5, Qwen3-Coder',
		format: tagged,
		answer: '<tool_call>\n<function=get_weather>\n<parameter=city>\nBonn\n</parameter>\n<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>',
		pieces: [call('get_weather', weather)]
	},
	{
		model: 'SmolLM3, with a word after it',
		format: tagged,
		answer: 'Sure!\n<tool_call>{"name": "get_weather", "arguments": {"city": "Bonn", "days": 2}}</tool_call>\nA moment.',
		pieces: [text('Sure!\n'), call('get_weather', weather), text('\nA moment.')]
	},
	{
		model: 'Llama 3.2',
		format: bare,
		answer: '{"name": "get_weather", "parameters": {"city": "Bonn", "days": 2}}',
		pieces: [call('get_weather', weather)]
	},
	{
		model: 'Llama 3.1, with its tag, and two',
		format: bare,
		answer: '<|python_tag|>{"type": "function", "name": "get_weather", "parameters": {"city": "Bonn", "days": 2}}; {"name": "current_time", "parameters": {}}',
		pieces: [call('get_weather', weather), call('current_time', {})]
	},
	{
		model: 'Mistral 7B 0.3',
		format: listed,
		answer: '[TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "Bonn", "days": 2}}, {"name": "current_time", "arguments": {}}]',
		pieces: [call('get_weather', weather), call('current_time', {})]
	},
	{
		model: 'Ministral 3',
		format: listed,
		answer: 'Let me see.[TOOL_CALLS]get_weather[ARGS]{"city": "Bonn", "days": 2}[TOOL_CALLS]current_time[ARGS]{}',
		pieces: [text('Let me see.'), call('get_weather', '{"city": "Bonn", "days": 2}'), call('current_time', {})]
	},
	{
		model: 'Gemma 4',
		format: gemma,
		answer: '<|tool_call>call:get_weather{city:<|"|>Bonn, {NRW}<|"|>,days:2,fine:true,tags:[<|"|>a<|"|>,{b:null}]}<tool_call|>',
		pieces: [call('get_weather', { city: 'Bonn, {NRW}', days: 2, fine: true, tags: ['a', { b: null }] })]
	},
	{
		model: 'FunctionGemma',
		format: functionGemma,
		answer: '<start_function_call>call:get_weather{city:<escape>Bonn<escape>,days:2}<end_function_call>',
		pieces: [call('get_weather', weather)]
	}
];

/** Answers that are no calls, whole or in part. */
const texts: Recorded[] = [
	{ model: 'JSON that was asked for', format: bare, answer: '{"name": "Ann", "age": 4}', pieces: [] },
	{ model: 'JSON with other keys', format: bare, answer: '{"city": "Bonn"}', pieces: [] },
	{ model: 'a call in the middle of an answer', format: bare, answer: 'Write {"name": "f", "parameters": {}} to call f.', pieces: [] },
	{ model: 'half an object', format: bare, answer: '{"name": "get_weather", "parameters": {"city": "Bo', pieces: [] },
	{ model: 'code after the tag', format: bare, answer: '<|python_tag|>print("Bonn")', pieces: [] },
	{ model: 'half a call', format: tagged, answer: 'I look.\n<tool_call>\n{"name": "get_weather", "arguments": {"ci', pieces: [] },
	{ model: 'half a mark', format: tagged, answer: 'a < b, <tool', pieces: [] },
	{ model: 'marks without a call', format: tagged, answer: 'Put <tool_call>it here</tool_call>, then go on.', pieces: [] },
	{ model: 'half a list', format: listed, answer: '[TOOL_CALLS] [{"name": "get_weather", "arg', pieces: [] },
	{ model: 'a value without an end', format: gemma, answer: '<|tool_call>call:f{a:<|"|>b}<tool_call|>', pieces: [] },
	{ model: 'nesting without an end', format: gemma, answer: `<|tool_call>call:f${'{a:'.repeat(5000)}<tool_call|>`, pieces: [] },
	{ model: 'blanks', format: tagged, answer: ' \n', pieces: [] }
].map((one) => ({ ...one, pieces: [text(one.answer)] }));

/** Calls with something wrong, or in an unlikely place. */
const odd: Recorded[] = [
	{ model: 'a tool that is not there', format: tagged, answer: '<tool_call>{"name": "launch", "arguments": {}}</tool_call>', pieces: [call('launch', {})] },
	{ model: 'input that is no JSON', format: tagged, answer: '<tool_call>{"name": "f", "arguments": {city: Bonn}}</tool_call>', pieces: [call('f', '{city: Bonn}')] },
	{ model: 'a brace too many', format: tagged, answer: '<tool_call>{"name": "f", "arguments": {"a": 1}}}</tool_call>', pieces: [call('f', '{"a": 1}')] },
	{ model: 'input as a text', format: tagged, answer: '<tool_call>{"name": "f", "arguments": "{\\"a\\":1}"}</tool_call>', pieces: [call('f', '{"a":1}')] },
	{ model: 'no input', format: tagged, answer: '<tool_call>{"name": "f"}</tool_call>', pieces: [call('f', {})] },
	{ model: 'no mark at the end', format: tagged, answer: '<tool_call>{"name": "f", "arguments": {}}', pieces: [call('f', {})] },
	{ model: 'the mark in its input', format: tagged, answer: '<tool_call>{"name": "f", "arguments": {"a": "</tool_call> \\" <tool_call>"}}</tool_call>.', pieces: [call('f', { a: '</tool_call> " <tool_call>' }), text('.')] },
	{ model: 'a string without an end', format: tagged, answer: '<tool_call>{"name": "f", "arguments": {"a}}</tool_call> So.', pieces: [call('f', '{"a}}'), text(' So.')] },
	{ model: 'the mark as a word before', format: tagged, answer: 'By <tool_call> I "call: <tool_call>{"name": "f", "arguments": {}}</tool_call>', pieces: [text('By <tool_call> I "call: '), call('f', {})] },
	{ model: 'words after it', format: bare, answer: '{"name": "f", "parameters": {}}\n\nThat was it.', pieces: [call('f', {}), text('\n\nThat was it.')] }
];

describe('ToolCallReader', () => {
	it.each([...recorded, ...texts, ...odd])('[R1] reads $model', ({ format, answer, pieces }) => {
		expect(read(format, [answer])).toEqual(pieces);
	});

	it('[R1] reads the same wherever an answer is cut', () => {
		for (const { format, answer, pieces } of [...recorded, ...texts, ...odd]) {
			if (answer.length > 1000) continue;
			expect(read(format, [...answer])).toEqual(pieces);
			fc.assert(
				fc.property(fc.array(fc.nat(answer.length), { maxLength: 12 }), (cuts) => {
					const places = [0, ...cuts.sort((a, b) => a - b), answer.length];
					expect(read(format, places.slice(1).map((place, index) => answer.slice(places[index], place)))).toEqual(pieces);
				}),
				{ numRuns: 50 }
			);
		}
	});

	it('[R1] loses no text, whatever a model writes', () => {
		const words = ['<tool_call>', '</tool_call>', '{"name": "f", "arguments": {}}', '{', '"', '}', ' ', 'a', '<', '[TOOL_CALLS]', '<|tool_call>', '<tool_call|>', 'call:f{', '<|python_tag|>'];
		fc.assert(
			fc.property(fc.constantFrom(tagged, bare, listed, gemma, functionGemma), fc.array(fc.constantFrom(...words), { maxLength: 12 }), (format, deltas) => {
				const pieces = read(format, deltas);
				const answer = deltas.join('');
				let from = 0;
				// Each text is found in its place, and between texts there is a call.
				for (const [index, piece] of pieces.entries()) {
					if (piece.type === 'tool-call') {
						expect(answer).toContain(piece.toolName);
						continue;
					}
					const at = index === 0 ? 0 : answer.indexOf(piece.delta, from);
					expect(answer.slice(at, at + piece.delta.length)).toBe(piece.delta);
					from = at + piece.delta.length;
				}
				if (pieces.every(({ type }) => type === 'text')) expect(pieces.map((piece) => (piece.type === 'text' ? piece.delta : '')).join('')).toBe(answer);
			}),
			{ numRuns: 2000 }
		);
	});

	it('[P8] takes the time that an answer takes, whatever marks are in it', () => {
		const marks = ['<tool_call>{"', ...Array.from({ length: 5000 }, () => '</tool_call>')];
		expect(read(tagged, marks)).toEqual([text(marks.join(''))]);
		const atOnce = [`<tool_call>{"${'</tool_call>'.repeat(60_000)}`, `<tool_call><function=f>${'<parameter=a'.repeat(60_000)}</function></tool_call>`, `<tool_call>${' '.repeat(60_000)}{"${'</tool_call>'.repeat(30_000)}`];
		for (const answer of atOnce) expect(read(tagged, [answer])).toEqual([text(answer)]);
		for (const format of [tagged, bare, listed, gemma, functionGemma]) {
			for (const word of ['<tool_call>', '[TOOL_CALLS]', '{"name": "f", "parameters": {', '<|tool_call>call:f{a:[', '<tool_call><function=f><parameter=a>', ' ']) {
				expect(read(format, Array.from({ length: 3000 }, () => word)).every(({ type }) => type === 'text')).toBe(true);
			}
		}
	});

	it('tells text as soon as it can be no call', () => {
		const reader = new ToolCallReader(tagged);
		expect(reader.push('One <')).toEqual([text('One ')]);
		expect(reader.push('b> two')).toEqual([text('<b> two')]);
		expect(new ToolCallReader(bare).push('{"city": ')).toEqual([text('{"city": ')]);
		expect(new ToolCallReader(bare).push('Hello')).toEqual([text('Hello')]);
	});
});
