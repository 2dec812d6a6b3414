import { spawn } from 'node:child_process';

/**
 * The command that opens an address in the person's browser.
 * @param {string} url
 * @param {{ platform: NodeJS.Platform, env: NodeJS.ProcessEnv }} system
 * @returns {[string, ...string[]] | null} null where nobody would see it: in CI, or on a Linux without a display
 */
export function openCommand(url, { platform, env }) {
	if (env.CI) return null;
	if (platform === 'darwin') return ['open', url];
	// `start` takes its first quoted word for a window title.
	if (platform === 'win32') return ['cmd', '/c', 'start', '""', url];
	return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open', url] : null;
}

/** Opens the address where it can; the address is printed anyway, so a failure is no matter. @param {string} url */
export function openBrowser(url) {
	const command = openCommand(url, process);
	if (!command) return;
	const [name, ...args] = command;
	const child = spawn(name, args, { stdio: 'ignore', detached: true });
	child.once('error', (error) => console.log(`No browser could be opened (${error.message}); open the address yourself.`));
	child.unref();
}
