import { expect, it, test } from 'vitest';
import { isKnownToBeLocal, needsPermission, obstacleTo } from './unreachable';

const at = (address: string) => new URL(address);

test.each([
	['http://localhost:1', 'https://snug.example', true],
	['http://192.168.1.5', 'https://snug.example', true],
	['http://localhost:1', 'http://192.168.1.2:4747', true],
	['http://192.168.1.5', 'http://192.168.1.2:4747', false],
	['http://localhost:1', 'http://127.0.0.1:4747', false],
	['https://models.example', 'https://snug.example', false],
	['http://192.168.1.5', 'http://localhost:4747', false]
])('[P11] %s needs the permission of the local network from %s: %s', (server, origin, needs) => expect(needsPermission(at(server), origin)).toBe(needs));

it('[P11] a host is known to be local by its number, or as .local', () => {
	for (const address of ['http://192.168.1.5', 'http://10.0.0.1', 'http://nas.local', 'http://[fd00::1]']) expect(isKnownToBeLocal(at(address)), address).toBe(true);
	for (const address of ['http://nas', 'http://nas.lan', 'http://8.8.8.8', 'http://models.example']) expect(isKnownToBeLocal(at(address)), address).toBe(false);
});

test.each([
	['http://192.168.1.5', undefined, true, 'insecure'],
	['http://192.168.1.5', 'granted', true, 'blocked'],
	['http://192.168.1.5', 'granted', false, 'down'],
	['http://192.168.1.5', 'denied', false, 'permission'],
	['http://nas.lan', 'granted', true, 'insecure'],
	['http://models.example', 'granted', true, 'insecure'],
	['https://models.example', 'denied', true, 'blocked'],
	['http://localhost:1', 'denied', false, 'permission'],
	['http://localhost:1', 'prompt', false, 'down'],
	['http://localhost:1', undefined, undefined, 'down']
] as const)('[P11] from https:// to %s with permission %s, there: %s, is %s', async (address, permission, there, obstacle) => {
	const reach = { origin: 'https://snug.example', isThere: async () => there, permissionFor: async () => permission };
	expect(await obstacleTo(at(address), reach)).toBe(obstacle);
});
