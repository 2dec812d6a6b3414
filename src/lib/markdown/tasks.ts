import type MarkdownIt from 'markdown-it';

/** Draws the `[ ]` and `[x]` that items of lists begin with as boxes, which nobody can tick: a message does not change. */
export function keepTasks(parser: InstanceType<typeof MarkdownIt>): void {
	parser.core.ruler.push('tasks', ({ tokens, Token }) => {
		for (const [index, item] of tokens.entries()) {
			if (item.type !== 'list_item_open' || tokens[index + 1]!.type !== 'paragraph_open') continue;
			const children = tokens[index + 2]!.children!;
			const [first] = children;
			const mark = first?.type === 'text' ? /^\[[ xX]\](?=[ \t])/.exec(first.content) : null;
			if (!mark) continue;
			item.attrs = [['class', 'with-task']];
			const box = new Token('task', '', 0);
			box.content = mark[0];
			first!.content = first!.content.slice(mark[0].length);
			children.unshift(box);
		}
	});
	parser.renderer.rules.task = (tokens, index) => {
		const { content } = tokens[index]!;
		const [look, name] = content === '[ ]' ? ['task', 'Not done'] : ['task done', 'Done'];
		return `<span class="${look}" role="img" aria-label="${name}">${content}</span>`;
	};
}
