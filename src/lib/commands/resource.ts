import type { Command, CommandContext, OfServer, Outcome } from './command';
import { noneFound } from './of-servers';

/** A resource of a tool server, attached as a file of the message. [R1] */
export const resourceCommand: Command = {
	name: 'resource',
	usage: '/resource <server:name>',
	summary: 'Attach a resource of a tool server',
	async run(argument, context) {
		const { found, failures } = await context.resources();
		const key = argument.toLowerCase();
		const named = found.filter((resource) => resource.key === key);
		if (named.length === 1) return attach(named[0]!, context);
		const listed = named.length > 0 ? named : found;
		if (listed.length === 0) return noneFound('resources', failures);
		const text = key === '' || named.length > 0 ? 'Which resource?' : 'There is no such resource. There are:';
		return { kind: 'choose', text, choices: listed.map((resource) => ({ label: resource.label, detail: `${resource.from} · ${resource.detail}`, run: () => attach(resource, context) })) };
	}
};

async function attach(resource: OfServer, context: CommandContext): Promise<Outcome> {
	return { kind: 'compose', file: await context.fileOf(resource) };
}
