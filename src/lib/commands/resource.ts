import type { Command } from './command';
import { completeOfServers, runOfServers } from './of-servers';

/** A resource of a tool server, attached as a file of the message. [R1] */
export const resourceCommand: Command = {
	name: 'resource',
	usage: '/resource <server:name> [name=value]',
	summary: 'Attach a resource of a tool server',
	run: (argument, context) =>
		runOfServers(
			{
				kind: 'resource',
				list: ({ resources }) => resources(),
				begun: (key) => `/resource ${key}`,
				take: async (resource, values, { fileOf }) => ({ kind: 'compose', file: await fileOf(resource, values) })
			},
			argument,
			context
		),
	complete: (_, context, typed) => completeOfServers('resource', typed, context)
};
