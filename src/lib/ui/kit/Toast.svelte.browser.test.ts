import { flushSync, mount, unmount } from 'svelte';
import { expect, onTestFinished, test } from 'vitest';
import Toast from './Toast.svelte';

test('a long word in a notice is broken, so that its buttons stay in sight', () => {
	const target = document.body.appendChild(document.createElement('div'));
	target.style.width = '20rem';
	const mounted = mount(Toast, { target, props: { text: `“${'x'.repeat(200)}” was restored.`, onact: () => undefined, ondismiss: () => undefined } });
	onTestFinished(async () => {
		await unmount(mounted);
		target.remove();
	});
	flushSync();
	const text = target.querySelector('span')!;
	expect(text.scrollWidth).toBeLessThanOrEqual(text.clientWidth);
});
