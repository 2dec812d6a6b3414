// The script in the page itself, which runs before anything is fetched (scripts/page-template.mjs puts it there). It lets the composer that comes
// with the page (app.html) take keys, keeps what is typed, and opens the database, until the app takes over: view/waking.ts, storage/raw-database.ts.
import { isComposing } from './lib/shared/composing';
import { openEarly } from './lib/storage/raw-database';
import { hasOwnKeyboard, sendsBy } from './lib/view/has-keyboard';
import { keepInTab, keptInTab, nameOfEarly, pathOfEarly } from './lib/view/tab-text';

/** Addresses that have a composer: a new chat's, a chat's (s) and a workspace's (w). */
const addresses = /^\/(?:([sw])\/[^/]+\/?)?$/;

/** Parts of an address that lead to a chat of another one. */
const leads = ['continue', 'resume'];

const frame = document.getElementById('waking')!;
const field = frame.querySelector('textarea')!;
const send = frame.querySelector<HTMLButtonElement>('.primary')!;
const hasKeyboard = hasOwnKeyboard();
const path = pathOfEarly(location);
const name = nameOfEarly(path);
frame.dataset.path = path;

const [address, kind] = addresses.exec(location.pathname.slice(frame.dataset.base!.length)) ?? [];
const query = new URLSearchParams(location.search);
if (address === undefined || leads.some((part) => query.has(part)) || top !== self) frame.remove();
else begin();

function begin() {
	openEarly();
	if (kind !== 's') {
		frame.querySelector('.frame-bar')!.remove();
		const above = frame.querySelector('.frame-above')!;
		above.className = 'frame-welcome';
		// That of a workspace is another.
		if (kind) above.firstElementChild!.remove();
	}
	frame.hidden = false;
	const kept = keptInTab(name);
	if (typeof kept === 'string') field.value = kept;
	show();
	field.addEventListener('input', () => {
		delete frame.dataset.entered;
		// Where nothing can be kept the app takes it from the field.
		keepInTab(name, field.value);
		show();
	});
	field.addEventListener('keydown', (event) => {
		if (!sendsBy(event) || isComposing(event) || !hasKeyboard) return;
		event.preventDefault();
		enter();
	});
	send.addEventListener('click', enter);
	// The router keeps the focus on what asks for it, also while a word is being composed there.
	field.addEventListener('focus', () => (field.autofocus = true));
	field.addEventListener('compositionstart', () => (frame.dataset.composing = ''));
	field.addEventListener('compositionend', () => delete frame.dataset.composing);
	if (hasKeyboard) field.focus();
	// Back, before the app runs, leads to another address in the same page; what is typed here is kept for this one.
	addEventListener('popstate', () => frame.isConnected && location.reload());
	// Scripts that can't be loaded; once they run, the app says what is wrong.
	addEventListener('unhandledrejection', () => {
		frame.querySelector('[role=alert]')!.textContent = 'Snug can’t be loaded. Check the connection and reload.';
	});
}

function show() {
	send.disabled = !field.value.trim();
}

function enter() {
	frame.dataset.entered = '';
}
