import { isNoPersona, noPersona } from '../conversation/persona';
import type { Candidate, Command } from './command';

/** [E3] */
export const personaCommand: Command = {
	name: 'persona',
	usage: '/persona [name]',
	summary: 'Use a persona here from your next message on; without a name, list them',
	alone: 'Choose a persona',
	async run(argument, context) {
		const all = await context.personas();
		if (argument === '') {
			return {
				kind: 'choose',
				text: 'Which persona? It counts from your next message on.',
				choices: all.map(({ name, about }) => ({ label: name, detail: about, run: async () => use(name) }))
			};
		}
		return use(argument);

		async function use(text: string) {
			if (isNoPersona(text)) await context.stopPersona();
			else {
				const found = all.find(({ name }) => name === text) ?? all.find(({ name }) => name.toLowerCase() === text.toLowerCase());
				if (!found) return { kind: 'refused' as const, text: `There is no persona “${text}”. /persona lists them all.` };
				await context.usePersona(found.name);
			}
			return { kind: 'done' as const };
		}
	},
	async complete(argument, context) {
		const begun = argument.toLowerCase();
		const all = [...(await context.personas()), { name: noPersona, about: 'As new chats begin' }];
		const candidates: Candidate[] = all.map(({ name, about }) => ({ value: name, label: name, detail: about }));
		return candidates.filter(({ value }) => value.toLowerCase().startsWith(begun)).concat(candidates.filter(({ value }) => value.toLowerCase().indexOf(begun) > 0));
	}
};
