import { homeWorkspace } from '../conversation/session';
import type { Command } from './command';

/** The session that is left stays as it is [E2]. */
export const newCommand: Command = {
	name: 'new',
	usage: '/new',
	summary: 'Start a new chat; this one stays',
	listed: true,
	async run(_argument, { place, session }) {
		const here = place.sessionId === undefined ? undefined : await session(place.sessionId);
		const workspace = here?.workspace ?? place.workspace ?? homeWorkspace;
		return { kind: 'go', path: workspace === homeWorkspace ? '/' : `/w/${encodeURIComponent(workspace)}?new` };
	}
};
