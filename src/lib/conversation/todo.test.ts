import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTodo, newTask, parseTodo, type TodoItem } from './todo';

const list = `# Trip

- [ ] Book the train
  - [x] Ask Kim
* [X] Passport
1. [ ] Pack
- no task
- [] nor this
- [x]nor this`;

const lines = fc.oneof(
	fc.string({ unit: 'binary' }),
	fc
		.tuple(
			fc.constantFrom('', '  ', '\t'),
			fc.constantFrom('- ', '* ', '+  ', '1. ', '-', '2)\t'),
			fc.constantFrom('[ ]', '[x]', '[X]', '[]'),
			fc.constantFrom(' ', '', '\t'),
			fc.string()
		)
		.map((parts) => parts.join(''))
);
const texts = fc.tuple(fc.array(lines), fc.constantFrom('\n', '\r\n')).map(([lines, end]) => lines.join(end));

describe('the to-do list', () => {
	it('finds the tasks, done and open, and keeps every other line', () => {
		expect(parseTodo(list)).toEqual([
			{ kind: 'line', text: '# Trip' },
			{ kind: 'line', text: '' },
			{ kind: 'task', done: false, text: 'Book the train', lead: '- [ ] ' },
			{ kind: 'task', done: true, text: 'Ask Kim', lead: '  - [x] ' },
			{ kind: 'task', done: true, text: 'Passport', lead: '* [X] ' },
			{ kind: 'task', done: false, text: 'Pack', lead: '1. [ ] ' },
			{ kind: 'line', text: '- no task' },
			{ kind: 'line', text: '- [] nor this' },
			{ kind: 'line', text: '- [x]nor this' }
		]);
		expect(parseTodo('')).toEqual([]);
	});

	it('comes out as it went in, whatever the text', () => {
		const property = fc.property(fc.oneof(texts, fc.string({ unit: 'binary' })), (text) => {
			expect(formatTodo(parseTodo(text))).toBe(text);
		});
		fc.assert(property, { numRuns: 1000 });
	});

	it('changes nothing but the box of a task that is done, or open again', () => {
		fc.assert(
			fc.property(texts, fc.nat(), (text, pick) => {
				const items = parseTodo(text);
				const index = pick % (items.length || 1);
				const item = items[index];
				if (item?.kind !== 'task') return;
				const toggled: TodoItem[] = items.with(index, { ...item, done: !item.done });
				const after = parseTodo(formatTodo(toggled));
				const bare = (item: TodoItem) => (item.kind === 'task' ? { ...item, lead: item.lead.replace(/[xX]/, ' ') } : item);
				expect(after.map(bare)).toEqual(toggled.map(bare));
			}),
			{ numRuns: 500 }
		);
	});

	it('takes a new task at its end, on one line', () => {
		const items = [...parseTodo('- [x] One'), newTask(' Two\r\nlines ')];
		expect(formatTodo(items)).toBe('- [x] One\n- [ ] Two lines');
		expect(parseTodo(formatTodo(items))[1]).toEqual({ kind: 'task', done: false, text: 'Two lines', lead: '- [ ] ' });
	});
});
