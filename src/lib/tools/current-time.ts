import * as v from 'valibot';
import type { ToolPorts } from './ports';
import { makeTool, type Tool } from './tool';

/** The output for the model. */
export interface CurrentTimeOutput {
	/** ISO 8601, local, with the offset from UTC. */
	local_time: string;
	weekday: string;
	/** As in the IANA database. */
	time_zone: string;
}

/** The tool `current_time`: what the clock of this device says. */
export function createTool({ clock }: Pick<ToolPorts, 'clock'>): Tool {
	return makeTool({
		name: 'current_time',
		description: "Tells the date, the time, the weekday and the time zone of the user's device. Call it when the answer depends on them.",
		input: v.object({}),
		inputSchema: { type: 'object', properties: {}, additionalProperties: false },
		effect: 'read',
		run: () => Promise.resolve({ output: outputOf(new Date(clock())), isError: false })
	});
}

function outputOf(now: Date): CurrentTimeOutput {
	const offset = -now.getTimezoneOffset();
	const two = (number: number) => String(number).padStart(2, '0');
	const hours = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
	const local = new Date(now.getTime() + offset * 60_000).toISOString().slice(0, 19);
	return {
		local_time: `${local}${hours}`,
		weekday: now.toLocaleDateString('en', { weekday: 'long' }),
		time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone
	};
}
