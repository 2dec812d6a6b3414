import { expect, it } from 'vitest';
import { createTool, type CurrentTimeOutput } from './current-time';

const context = { sessionId: 'here', signal: new AbortController().signal };

it.each([Date.UTC(2026, 6, 1, 23, 59, 59), Date.UTC(2024, 1, 29, 0, 0, 0), Date.UTC(2026, 0, 1, 12, 30)])('[E3] current_time tells the moment %i of the clock, locally', async (now) => {
	const { output } = await createTool({ clock: () => now }).run({}, context);
	const { local_time, weekday, time_zone } = output as CurrentTimeOutput;
	expect(Date.parse(local_time)).toBe(now);
	expect(local_time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);
	expect(weekday).toBe(new Date(now).toLocaleDateString('en', { weekday: 'long', timeZone: time_zone }));
});
