import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { append } from '../storage/append';
import { Measured } from './measured.svelte';

it('[P3] a sum is right after many changes, and is taken neither for each of them nor twice at once', async () => {
	const db = openDatabase();
	let [taken, running, maxRunning] = [0, 0, 0];
	const count = new Measured(['sessions'], async () => {
		taken++;
		maxRunning = Math.max(maxRunning, ++running);
		const found = await db.sessions.count();
		await new Promise((resolve) => setTimeout(resolve, 20));
		running--;
		return found;
	});
	let seen: number | undefined;
	const end = $effect.root(() => {
		$effect(() => void (seen = count.current));
	});
	flushSync();
	for (let made = 0; made < 200; made++) await append(db, { session: newSession({ id: `s${made}` }), messages: [newMessage('user', 'Hello')] });
	await expect.poll(() => seen).toBe(200);
	expect(maxRunning).toBe(1);
	expect(taken).toBeLessThan(100);
	const beforeSetting = taken;
	await db.settings.put({ name: 'showTokens', value: true });
	await new Promise((resolve) => setTimeout(resolve, 300));
	expect(taken, 'after a change elsewhere').toBe(beforeSetting);
	end();
	flushSync();
	const before = taken;
	await append(db, { session: newSession({ id: 'late' }), messages: [newMessage('user', 'Hello')] });
	await new Promise((resolve) => setTimeout(resolve, 300));
	expect(taken).toBe(before);
});
