/**
 * A line of a to-do list: a task, or any other line, kept as it is. `lead` is what stands before a task's text as it was
 * written, `- [ ] ` for one; its box follows `done` when the list is written again.
 */
export type TodoItem = { kind: 'task'; done: boolean; text: string; lead: string } | { kind: 'line'; text: string };

/** The lines of a to-do list, which is kept as a Markdown task list. */
export function parseTodo(text: string): TodoItem[] {
	if (text === '') return [];
	return text.split('\n').map((line) => {
		const [, lead, mark, told] = /^(\s*(?:[-*+]|\d+[.)])\s+\[([ xX])\]\s)(.*)$/s.exec(line) ?? [];
		return lead === undefined ? { kind: 'line', text: line } : { kind: 'task', done: mark !== ' ', text: told!, lead };
	});
}

/** The list as Markdown. Whatever text was parsed comes out as it was; a task's text stays on its line. */
export function formatTodo(items: TodoItem[]): string {
	return items.map((item) => (item.kind === 'task' ? leadOf(item) + item.text.replace(/\n/g, ' ') : item.text)).join('\n');
}

/** A task for the end of a list. */
export function newTask(text: string): TodoItem {
	return { kind: 'task', done: false, text: text.trim().replace(/\s+/g, ' '), lead: '- [ ] ' };
}

function leadOf({ lead, done }: TodoItem & { kind: 'task' }): string {
	return lead.replace(/\[[ xX]\]/, (box) => (done === (box !== '[ ]') ? box : done ? '[x]' : '[ ]'));
}
