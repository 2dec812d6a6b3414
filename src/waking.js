// The script in the page itself: it lets the composer that comes with it (app.html) take keys until the app runs, and keeps what is typed
// for view/waking.ts, which takes over. `scripts/page-template.mjs` puts it there.

/** Addresses that have a composer: a new chat's, a chat's (s) and a workspace's (w). */
const addresses = /^\/(?:([sw])\/[^/]+\/?)?$/;

/** Parts of an address that lead to a chat of another one. */
const leads = ['continue', 'resume'];

const frame = /** @type {HTMLElement} */ (document.getElementById('waking'));
const field = /** @type {HTMLTextAreaElement} */ (frame.querySelector('textarea'));
const send = /** @type {HTMLButtonElement} */ (frame.querySelector('.primary'));
const hasKeyboard = matchMedia('(pointer: fine)').matches;
const { base = '' } = frame.dataset;
const { pathname, search } = location;
const [address, kind] = addresses.exec(pathname.slice(base.length)) ?? [];
const query = new URLSearchParams(search);
frame.dataset.path = pathname;
if (address === undefined || leads.some((name) => query.has(name)) || top !== self) frame.remove();
else begin();

function begin() {
	if (kind !== 's') showNewChat();
	frame.hidden = false;
	takeUp();
	field.addEventListener('input', () => {
		delete frame.dataset.entered;
		keep();
		show();
	});
	field.addEventListener('keydown', onKey);
	send.addEventListener('click', enter);
	// The router keeps the focus on what asks for it, also while a word is being composed there.
	field.addEventListener('focus', () => (field.autofocus = true));
	field.addEventListener('compositionstart', () => (frame.dataset.composing = ''));
	field.addEventListener('compositionend', () => delete frame.dataset.composing);
	if (hasKeyboard) field.focus();
	// Scripts that can't be loaded; once they run, the app says what is wrong.
	addEventListener('unhandledrejection', () => say('Snug can’t be loaded. Check the connection, then reload the page.'));
}

function showNewChat() {
	frame.querySelector('.frame-bar')?.remove();
	/** @type {HTMLElement} */ (frame.querySelector('.frame-above')).className = 'frame-welcome';
}

function show() {
	send.disabled = field.value.trim() === '';
}

function enter() {
	frame.dataset.entered = '';
}

/** @param {KeyboardEvent} event */
function onKey(event) {
	// 229: the key belongs to a composition, which Safari has ended by then.
	if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229 || !hasKeyboard) return;
	event.preventDefault();
	enter();
}

/** The name under which view/tab-text.ts finds it. */
function keptAs() {
	return `snug:waking:${pathname}`;
}

function keep() {
	try {
		sessionStorage.setItem(keptAs(), field.value);
	} catch {
		// Nothing can be kept here; the app takes the text from the field.
	}
}

function takeUp() {
	try {
		field.value = sessionStorage.getItem(keptAs()) ?? '';
	} catch {
		// Nothing was kept.
	}
	show();
}

/** @param {string} text */
function say(text) {
	/** @type {HTMLElement} */ (frame.querySelector('[role=alert]')).textContent = text;
}
