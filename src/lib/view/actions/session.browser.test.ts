import { expect, it, onTestFinished, vi } from 'vitest';
import { newSession } from '../../../../tests/fixtures/database';
import { conversations } from '../../app/conversations';
import type { Session } from '../../conversation/session';
import { notices } from '../notices.svelte';
import { sessionActions } from './session';

it.each(['download-markdown', 'copy-markdown'])('says what an export failed of: %s', async (id) => {
	const exporting = vi.spyOn(conversations, 'exportSession').mockRejectedValue(new RangeError('Invalid string length'));
	const reported = vi.spyOn(globalThis, 'reportError').mockImplementation(() => undefined);
	onTestFinished(() => {
		exporting.mockRestore();
		reported.mockRestore();
		notices.splice(0);
	});
	const action = sessionActions.flat().find((action) => action.id === id)!;
	await action.run({ session: newSession() as Session, rename: () => undefined });
	expect(notices).toMatchObject([{ action: { label: 'Copy details' } }]);
});
