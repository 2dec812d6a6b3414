import { createServer } from 'node:http';
import { Halt } from './halt.mjs';

/** By its number: a name may mean IPv6 to the browser and IPv4 to Node. */
export const loopback = '127.0.0.1';

/**
 * @param {number} port
 * @throws {Halt} when the port cannot be had
 */
export async function requireFreePort(port) {
	const probe = createServer();
	await listen(probe, port);
	await new Promise((resolve) => probe.close(resolve));
}

/**
 * @param {import('node:net').Server} server
 * @param {number} port 0 lets the system choose one
 * @throws {Halt} when the port cannot be had
 */
export function listen(server, port) {
	return new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
		server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => reject(portHalt(error, port) ?? error));
		server.listen(port, loopback, () => resolve());
	});
}

/** @param {NodeJS.ErrnoException} error @param {number} port */
function portHalt(error, port) {
	const other = port > 1023 && port < 65535 ? port + 1 : 4748;
	const advice = `type \`npm start -- --port ${other}\``;
	if (error.code === 'EADDRINUSE') {
		return new Halt(`Port ${port} is in use; close what uses it (Snug itself, in another terminal?), or ${advice}.`);
	}
	if (error.code === 'EACCES') return new Halt(`This system does not let you use port ${port}; ${advice}.`);
	return null;
}
