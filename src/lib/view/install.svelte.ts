import { isInstalled } from '../shared/installed';

/** Chromium's offer to install the app; not in TypeScript's DOM library. */
interface InstallPrompt extends Event {
	prompt(): Promise<void>;
	userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

let offer = $state.raw<InstallPrompt | undefined>();

const isIos = /iPad|iPhone|iPod/.test(navigator.userAgent) || (navigator.userAgent.includes('Mac') && navigator.maxTouchPoints > 1);

addEventListener('beforeinstallprompt', (event) => {
	event.preventDefault();
	offer = event as InstallPrompt;
});
addEventListener('appinstalled', () => (offer = undefined));

/** The way in which Snug can be installed here: by the browser's own prompt, by hand on iOS, by the browser's menu, or it is already. */
export const installation = {
	get way(): 'installed' | 'prompt' | 'ios' | 'menu' {
		if (isInstalled) return 'installed';
		if (offer) return 'prompt';
		return isIos ? 'ios' : 'menu';
	},

	async ask(): Promise<void> {
		await offer?.prompt();
		if ((await offer?.userChoice)?.outcome === 'accepted') offer = undefined;
	}
};
