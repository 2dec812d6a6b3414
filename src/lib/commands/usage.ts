import { formatCost } from '../shared/cost';
import { columns } from './columns';
import type { Command, UsageTotals } from './command';

/** Lines about a total; '' where the engines did not report it. */
const lines: { name: string; of: (totals: UsageTotals & { sessions: number }) => string }[] = [
	{ name: 'Tokens in', of: ({ usage }) => figure(usage.inputTokens) },
	{ name: 'Tokens out', of: ({ usage }) => figure(usage.outputTokens) },
	{ name: 'Cache read', of: ({ usage }) => figure(usage.cacheReadTokens) },
	{ name: 'Cache write', of: ({ usage }) => figure(usage.cacheWriteTokens) },
	{ name: 'Cost', of: ({ usage }) => (usage.costUsd === undefined ? '' : formatCost(usage.costUsd)) },
	{ name: 'Answers', of: ({ steps }) => figure(steps) },
	{ name: 'Compactions', of: ({ compactions }) => figure(compactions) },
	{ name: 'Chats', of: ({ sessions }) => figure(sessions) }
];

/** [E9] */
export const usageCommand: Command = {
	name: 'usage',
	usage: '/usage',
	summary: 'Show the tokens, cost, answers and compactions of this chat and of all',
	alone: 'Show tokens and cost',
	async run(_argument, context) {
		const { sessionId } = context.place;
		const session = sessionId === undefined ? undefined : await context.session(sessionId);
		const all = await context.totalUsage();
		const told = [{ head: 'All chats', cells: cellsOf(all) }];
		if (session) told.unshift({ head: 'Here', cells: cellsOf({ ...session, compactions: await context.compactions(session.id), sessions: 1 }) });
		return { kind: 'text', text: 'As reported by the models:', listing: table(told) };
	}
};

function cellsOf(totals: UsageTotals & { sessions: number }): string[] {
	return lines.map(({ of }) => of(totals));
}

/** A column for each total, flush right; lines that say nothing of any are left out. */
function table(totals: { head: string; cells: string[] }[]): string {
	const told = lines.map(({ name }, at) => [name, ...totals.map(({ cells }) => cells[at]!)]).filter(([, ...cells]) => cells.some(Boolean));
	const rows = [['', ...totals.map(({ head }) => head)], ...told.map((row) => row.map((cell) => cell || '–'))];
	const width = (column: number) => Math.max(...rows.map((row) => row[column]!.length));
	return columns(rows.map((row) => row.map((cell, column) => (column === 0 ? cell : cell.padStart(width(column))))));
}

function figure(number: number | undefined): string {
	return number?.toLocaleString() ?? '';
}
