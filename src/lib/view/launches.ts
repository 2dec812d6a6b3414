import { goto } from '$app/navigation';
import { base } from '$app/paths';
import { reportFailure } from './notices.svelte';

/** Chromium's queue of what an installed app is opened with; not in TypeScript's DOM library. */
interface LaunchQueue {
	setConsumer(consumer: (launch: { targetURL?: string; files?: readonly FileSystemFileHandle[] }) => void): void;
}

/** Opens what the system opens the installed app with: files, or an address, which its window that is open already is not led to by itself. */
export function followLaunches(): void {
	const { launchQueue } = window as { launchQueue?: LaunchQueue };
	const [arrival] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
	// After a reload the browser delivers again what the page was launched with.
	let isOld = arrival?.type === 'reload';
	launchQueue?.setConsumer((launch) => {
		if (!isOld && launch.targetURL !== arrival?.name) void reportFailure(() => open(launch));
		else if (!isOld) void reportFailure(() => open({ ...launch, targetURL: '' }));
	});
	isOld = false;
}

async function open({ targetURL = '', files = [] }: { targetURL?: string; files?: readonly FileSystemFileHandle[] }): Promise<void> {
	if (files.length > 0) {
		const { openFiles } = await import('./received');
		await openFiles(await Promise.all(files.map((file) => file.getFile())));
	}
	const url = URL.parse(targetURL);
	if (!url || url.origin !== location.origin || url.href === location.href || !pathOf(url)?.startsWith(`${base}/`) || url.pathname === `${base}/share`) return;
	// eslint-disable-next-line svelte/no-navigation-without-resolve -- the system gives a whole address.
	await goto(url);
}

/** Returns the path of an address as the router reads it; undefined where it throws, as of `/%`. */
function pathOf({ pathname }: URL): string | undefined {
	try {
		return decodeURI(pathname);
	} catch {
		return undefined;
	}
}
