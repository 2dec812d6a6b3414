import { expect, test } from 'vitest';
import { openCommand } from './open-browser.mjs';

const url = 'http://127.0.0.1:4747/';

test('each system has its own command', () => {
	expect(openCommand(url, { platform: 'darwin', env: {} })).toEqual(['open', url]);
	expect(openCommand(url, { platform: 'win32', env: {} })).toEqual(['cmd', '/c', 'start', '""', url]);
	expect(openCommand(url, { platform: 'linux', env: { DISPLAY: ':0' } })).toEqual(['xdg-open', url]);
});

test('nothing is opened in CI or without a display', () => {
	expect(openCommand(url, { platform: 'linux', env: {} })).toBeNull();
	expect(openCommand(url, { platform: 'darwin', env: { CI: 'true' } })).toBeNull();
	expect(openCommand(url, { platform: 'linux', env: { DISPLAY: ':0', CI: '1' } })).toBeNull();
});
