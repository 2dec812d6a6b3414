// Reading aloud and dictation. The browser's speech is a stand-in (speech.ts): no browser of the tests has a voice or a recogniser that runs.
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './app';
import { answer, ask, expectAccessible, inMessageMenu, inSessionMenu, said, storedConversation, useServer, withSessions } from './chat';
import { here, online, withRecogniser, withVoices } from './speech';

test.use({ weights: 'none' });

const birds = 'A **red kite** is a bird. It [flies](https://example.org/far) well!\n\n```js\nconst x = 1;\n```\n\n- Last words';
const bar = (page: Page) => page.getByRole('group', { name: 'Reading aloud' });
/** The question in a bar that asks one, which takes the focus from the button that led to it. */
const questionIn = (group: Locator) => group.getByRole('group', { name: /^Your browser/ });
const spoken = (page: Page) => page.evaluate(() => window.spoken.map(({ text }) => text));
const endSentence = (page: Page, error?: string) => page.evaluate((error) => window.endSentence(error), error);

async function openChat(page: Page, ...texts: string[]): Promise<string> {
	const stored = storedConversation(1, texts);
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(`./s/${stored.sessions.id}`);
	await expect(said(page).assistant.last()).toBeVisible();
	return stored.sessions.id;
}

test('[P3] read aloud says an answer sentence by sentence, without signs or code, and stops by its button, by Escape and at its end', async ({ page }) => {
	await withVoices(page, [online, here]);
	await openChat(page, 'Birds?', birds);
	const { assistant, you } = said(page);
	await inMessageMenu(page, assistant, 'Read aloud');
	await expect(bar(page)).toContainText('Reading aloud with Robin, on this device.');
	await expectAccessible(page, 'reading aloud');
	const sentences = ['A red kite is a bird.', 'It flies well!', 'Code.', 'Last words'];
	for (const [index] of sentences.entries()) {
		await expect.poll(() => spoken(page)).toEqual(sentences.slice(0, index + 1));
		await endSentence(page);
	}
	await expect(bar(page)).toBeHidden();
	expect(await page.evaluate(() => new Set(window.spoken.map(({ voice }) => voice)).size)).toBe(1);

	await inMessageMenu(page, assistant, 'Read aloud');
	await bar(page).getByRole('button', { name: 'Stop reading' }).click();
	await expect(bar(page)).toBeHidden();
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
	await inMessageMenu(page, assistant, 'Read aloud');
	await inMessageMenu(page, assistant, 'Stop reading');
	await expect(bar(page)).toBeHidden();
	await inMessageMenu(page, assistant, 'Read aloud');
	await expect(bar(page)).toBeVisible();
	await page.keyboard.press('Escape');
	await expect(bar(page)).toBeHidden();
	await expect.poll(() => page.evaluate(() => speechSynthesis.speaking)).toBe(false);
	expect(await spoken(page)).toEqual([...sentences, ...Array<string>(3).fill(sentences[0]!)]);

	// What one asked is in one's own words.
	await you.hover();
	await page.locator('.asked').getByRole('button', { name: 'More' }).click();
	await expect(page.getByRole('group', { name: 'Message' }).getByRole('button', { name: 'Copy link to here' })).toBeVisible();
	await expect(page.getByRole('group', { name: 'Message' }).getByRole('button', { name: 'Read aloud' })).toHaveCount(0);
});

test('[P3] one answer is read aloud at a time, and no longer than its chat is open and it is there', async ({ page }) => {
	await withVoices(page, [here]);
	const id = await openChat(page, 'One?', 'First answer. More of it.', 'Two?', 'Second answer.');
	const { assistant } = said(page);
	await inMessageMenu(page, assistant.first(), 'Read aloud');
	await expect.poll(() => spoken(page)).toEqual(['First answer.']);
	await inMessageMenu(page, assistant.last(), 'Read aloud');
	await expect.poll(() => spoken(page)).toEqual(['First answer.', 'Second answer.']);
	await expect(bar(page)).toHaveCount(1);
	await page.getByRole('link', { name: 'New chat' }).click();
	await expect(bar(page)).toBeHidden();
	await expect.poll(() => page.evaluate(() => speechSynthesis.speaking)).toBe(false);

	await page.goto(`./s/${id}`);
	await inMessageMenu(page, assistant.first(), 'Read aloud');
	await expect.poll(() => spoken(page)).toEqual(['First answer.']);
	await inMessageMenu(page, assistant.first(), 'Erase text');
	await expect(bar(page)).toBeHidden();
	await inMessageMenu(page, assistant.last(), 'Read aloud');
	await expect.poll(() => page.evaluate(() => speechSynthesis.speaking)).toBe(true);
	await inSessionMenu(page, 'Delete chat');
	await expect.poll(() => page.evaluate(() => speechSynthesis.speaking)).toBe(false);
});

test('[P3] the last answer is read aloud from the dialog of commands, and a failure is said in a sentence', async ({ page }) => {
	await withVoices(page, [here]);
	await openChat(page, 'One?', 'First answer. More of it.');
	await page.keyboard.press('Control+k');
	await page.getByRole('combobox').fill('read aloud');
	await page.keyboard.press('Enter');
	await expect.poll(() => spoken(page)).toEqual(['First answer.']);
	await endSentence(page, 'synthesis-failed');
	await expect(page.getByText('The browser could not read this aloud.')).toBeVisible();
	await expect(bar(page)).toBeHidden();
	expect(await spoken(page)).toEqual(['First answer.']);
});

test('[P8] a voice that is sent the text asks first, and nothing is spoken before; what is allowed is taken back in the settings', async ({ page }) => {
	await withVoices(page, [online]);
	const id = await openChat(page, 'Birds?', birds);
	const { assistant } = said(page);
	await inMessageMenu(page, assistant, 'Read aloud');
	await expect(bar(page)).toContainText('Your browser reads aloud with the online voice “Cloud English”, which is sent the text.');
	await expect(questionIn(bar(page))).toBeFocused();
	await expectAccessible(page, 'question of a voice');
	await page.keyboard.press('Escape');
	await expect(bar(page)).toBeHidden();
	expect(await spoken(page)).toEqual([]);
	await inMessageMenu(page, assistant, 'Read aloud');
	await bar(page).getByRole('button', { name: 'Continue' }).press('Enter');
	await expect.poll(() => spoken(page)).toEqual(['A red kite is a bird.']);
	await expect(bar(page)).toContainText('Reading aloud with Cloud English, which is sent the text.');
	await expect(bar(page).getByRole('button', { name: 'Stop reading' })).toBeFocused();

	await page.reload();
	await inMessageMenu(page, assistant, 'Read aloud');
	await expect.poll(() => spoken(page)).toEqual(['A red kite is a bird.']);
	await page.goto('./settings');
	await page.getByRole('radiogroup', { name: 'Online voice' }).getByText('Ask first').click();
	await page.goto(`./s/${id}`);
	await inMessageMenu(page, assistant, 'Read aloud');
	await expect(bar(page).getByRole('button', { name: 'Continue' })).toBeVisible();
	expect(await spoken(page)).toEqual([]);
});

const field = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const composer = (page: Page) => page.locator('form.composer');
const dictate = (page: Page) => page.getByRole('button', { name: 'Dictate' });
const heard = (page: Page) => page.evaluate(() => window.heard);
const hear = (page: Page, words: string, isFinal = true, confidence?: number) =>
	page.evaluate(([words, isFinal, confidence]) => window.hear(words, isFinal, confidence), [words, isFinal, confidence] as const);
const started = (page: Page, times = 1) => expect.poll(async () => (await heard(page)).length).toBe(times);

/** Opens a new chat, in which the mouse was moved: dictation is loaded then. */
async function openComposer(page: Page) {
	await page.goto('./');
	await expect(field(page)).toBeFocused();
	await field(page).hover();
	await expect(dictate(page)).toBeVisible();
}

test('[P3] dictation writes where the caret is, as typed: it can be undone, and is there after a reload', async ({ page }) => {
	await withRecogniser(page, 'available');
	await openComposer(page);
	await field(page).pressSequentially('Tell me please.');
	for (let at = 0; at < ' please.'.length; at++) await page.keyboard.press('ArrowLeft');
	await dictate(page).click();
	await started(page);
	await expect(dictate(page)).toHaveAttribute('aria-pressed', 'true');
	await expectAccessible(page, 'dictating');
	await hear(page, 'about birds', false);
	await expect(composer(page)).toContainText('about birds');
	await expect(field(page)).toHaveValue('Tell me please.');
	await hear(page, 'about birds');
	await expect(field(page)).toHaveValue('Tell me about birds please.');
	await hear(page, ' of prey');
	await expect(field(page)).toHaveValue('Tell me about birds of prey please.');
	await expect(field(page)).toBeFocused();
	await dictate(page).click();
	await expect(dictate(page)).toHaveAttribute('aria-pressed', 'false');
	expect((await heard(page)).map(({ isOver }) => isOver)).toEqual([true]);
	await field(page).press('Control+z');
	await expect(field(page)).toHaveValue('Tell me please.');
	await field(page).press('Control+Shift+z');
	await page.waitForFunction(() => Object.values(sessionStorage).some((kept: string) => kept.includes('Tell me about birds of prey please.')));
	await page.reload();
	await expect(field(page)).toHaveValue('Tell me about birds of prey please.');
});

test('[P3] dictation ends by Escape, and by Enter, which sends the words that show; elsewhere it begins from the commands', async ({ page, server }) => {
	await withRecogniser(page, 'available');
	await openComposer(page);
	await useServer(page, server.url, 'echo@5');
	await page.keyboard.press('Control+k');
	await page.getByRole('combobox').fill('dictate');
	await page.keyboard.press('Enter');
	await started(page);
	await hear(page, 'Count', false);
	await page.keyboard.press('Escape');
	await expect(dictate(page)).toHaveAttribute('aria-pressed', 'false');
	await expect(field(page)).toHaveValue('Count');
	await dictate(page).press('Space');
	await started(page, 2);
	await hear(page, 'to five', false);
	await page.keyboard.press('Enter');
	await expect(said(page).you).toContainText('Count to five');
	await answer(page);
	expect((await heard(page)).map(({ isOver }) => isOver)).toEqual([true, true]);
	await expect(field(page)).toHaveValue('');
});

test('[P3] dictation ends with its chat, and leaves the words that show where they belong', async ({ page }) => {
	await withRecogniser(page, 'available');
	await openChat(page, 'Birds?', birds);
	await field(page).hover();
	await field(page).pressSequentially('Tell me please.');
	for (let at = 0; at < ' please.'.length; at++) await page.keyboard.press('ArrowLeft');
	await dictate(page).click();
	await started(page);
	await hear(page, 'about kites', false);
	await expect(composer(page)).toContainText('about kites');
	await page.getByRole('link', { name: 'New chat' }).click();
	await expect(page).not.toHaveURL(/\/s\//);
	await expect.poll(async () => (await heard(page)).at(-1)!.isOver).toBe(true);
	await expect(field(page)).toHaveValue('');

	await dictate(page).click();
	await started(page, 2);
	await hear(page, 'And of a new one', false);
	await page.getByRole('link', { name: 'Settings' }).click();
	await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
	await page.goBack();
	await expect(field(page)).toHaveValue('And of a new one');
	await page.getByRole('link', { name: /^Session 1/ }).click();
	await expect(field(page)).toHaveValue('Tell me about kites please.');
	await page.reload();
	await expect(field(page)).toHaveValue('Tell me about kites please.');
});

test('[P3] dictation goes on in the chat that the first message makes', async ({ page, server }) => {
	await withRecogniser(page, 'available');
	await openComposer(page);
	await useServer(page, server.url, 'echo@5');
	await field(page).fill('Count to five');
	await page.evaluate(() => {
		// Between the message that leaves and the chat that comes.
		document.querySelector<HTMLElement>('form.composer [aria-label="Send"]')!.click();
		document.querySelector<HTMLElement>('form.composer [aria-label="Dictate"]')!.click();
	});
	await started(page);
	await hear(page, 'and on', false);
	await answer(page);
	expect((await heard(page)).map(({ isOver }) => isOver)).toEqual([false]);
	await dictate(page).click();
	await expect(field(page)).toHaveValue('and on');
});

test('[P3] [E11] words that show while one dictates are there after a reload', async ({ page }) => {
	await withRecogniser(page, 'available');
	await openComposer(page);
	await dictate(page).click();
	await started(page);
	await hear(page, 'of a new chat', false);
	await expect(composer(page)).toContainText('of a new chat');
	await page.reload();
	await expect(field(page)).toHaveValue('of a new chat');

	await openChat(page, 'Birds?', birds);
	await field(page).hover();
	await dictate(page).click();
	await started(page);
	await hear(page, 'of this chat', false);
	await expect(composer(page)).toContainText('of this chat');
	await page.reload();
	await expect(field(page)).toHaveValue('of this chat');
});

test('[P3] [E11] words that show while one dictates go along where a temporary chat is kept, which ends the dictation', async ({ page, server }) => {
	await withRecogniser(page, 'available');
	await page.goto('./');
	await useServer(page, server.url, 'echo');
	await page.goto('./temporary');
	await ask(page, 'Birds?');
	await field(page).pressSequentially('Typed');
	await field(page).hover();
	await dictate(page).click();
	await started(page);
	await hear(page, 'and said', false);
	await expect(composer(page)).toContainText('and said');
	const bar = page.getByRole('complementary', { name: 'About this chat' });
	await bar.getByRole('button', { name: 'Keep', exact: true }).click();
	await expect(bar).toHaveCount(0);
	await expect(field(page)).toHaveValue('Typed and said');
});

test('[P3] dictation writes words once where the browser has those as final that may still change, and keeps them where it is never sure', async ({ page }) => {
	await withRecogniser(page, 'available');
	await openComposer(page);
	await dictate(page).click();
	await started(page);
	for (const words of ['hello', 'hello how', 'hello how are']) await hear(page, words, true, 0);
	await expect(composer(page)).toContainText('Listening on this device hello how are');
	await expect(field(page)).toHaveValue('');
	await hear(page, 'hello how are you');
	await expect(field(page)).toHaveValue('hello how are you');
	for (const words of ['fine', 'five thanks', 'fine thanks']) await hear(page, words, true, 0);
	await dictate(page).click();
	await expect(field(page)).toHaveValue('hello how are you fine thanks');

	await field(page).fill('');
	await dictate(page).click();
	await started(page, 2);
	await hear(page, 'one', true, 0);
	await hear(page, 'two', true, 0);
	await expect(field(page)).toHaveValue('');
	await dictate(page).click();
	await expect(field(page)).toHaveValue('one two');
});

test('[P8] dictation says that it is on the device before the microphone is asked for', async ({ page }) => {
	await withRecogniser(page, 'available');
	await openComposer(page);
	await dictate(page).click();
	await started(page);
	expect(await heard(page)).toEqual([{ lang: 'en-GB', isLocal: true, isOver: false, line: 'Listening on this device' }]);
});

for (const onDevice of ['unavailable', undefined] as const) {
	test(`[P8] dictation that sends what is said asks first, once, and can be told to ask again (on the device: ${onDevice ?? 'not known'})`, async ({ page }) => {
		await withRecogniser(page, onDevice);
		await openComposer(page);
		await dictate(page).click();
		const question = page.getByRole('group', { name: 'Dictate' });
		await expect(question).toContainText('Your browser sends what you say to its maker’s service to be written down.');
		await expect(questionIn(question)).toBeFocused();
		await expectAccessible(page, 'question of dictation');
		await page.keyboard.press('Tab');
		await page.keyboard.press('Tab');
		await page.keyboard.press('Space');
		await expect(question).toBeHidden();
		await expect(dictate(page)).toBeFocused();
		expect(await heard(page)).toEqual([]);
		await page.keyboard.press('Enter');
		await expect(questionIn(question)).toBeFocused();
		await page.keyboard.press('Tab');
		await page.keyboard.press('Enter');
		await started(page);
		expect(await heard(page)).toEqual([{ lang: 'en-GB', isLocal: false, isOver: false, line: 'Listening through your browser’s online service' }]);
		await page.reload();
		await openComposer(page);
		await dictate(page).click();
		await started(page);
		await page.goto('./settings');
		await page.getByRole('radiogroup', { name: 'Online dictation' }).getByText('Ask first').click();
		await openComposer(page);
		await dictate(page).click();
		await expect(question).toBeVisible();
		expect(await heard(page)).toEqual([]);
	});
}

test('[P8] a key that is held from before a question of speech does not answer it', async ({ page }) => {
	await withVoices(page, [online]);
	await withRecogniser(page, 'unavailable');
	await openChat(page, 'Birds?', birds);
	await field(page).hover();
	await dictate(page).focus();
	await page.keyboard.down('Enter');
	const question = page.getByRole('group', { name: 'Dictate' });
	await expect(question).toBeVisible();
	await page.keyboard.down('Enter');
	await question.getByRole('button', { name: 'Continue' }).focus();
	await page.keyboard.down('Enter');
	await page.keyboard.up('Enter');
	await expect(question).toBeVisible();
	await page.keyboard.press('Escape');
	await expect(question).toBeHidden();
	await dictate(page).focus();
	await page.keyboard.down('Space');
	await dictate(page).click();
	await question.getByRole('button', { name: 'Continue' }).focus();
	await page.keyboard.down('Space');
	await page.keyboard.up('Space');
	await expect(question).toBeVisible();
	expect(await heard(page)).toEqual([]);
	await page.keyboard.press('Escape');

	await said(page).assistant.hover();
	await said(page).assistant.getByRole('button', { name: 'More' }).click();
	await page.getByRole('group', { name: 'Message' }).getByRole('button', { name: 'Read aloud', exact: true }).focus();
	await page.keyboard.down('Enter');
	await expect(questionIn(bar(page))).toBeVisible();
	await page.keyboard.down('Enter');
	await bar(page).getByRole('button', { name: 'Continue' }).focus();
	await page.keyboard.down('Enter');
	await page.keyboard.up('Enter');
	await expect(questionIn(bar(page))).toBeVisible();
	expect(await spoken(page)).toEqual([]);
	await page.keyboard.press('Enter');
	await expect.poll(() => spoken(page)).toEqual(['A red kite is a bird.']);
});

test('[P8] a question of speech that comes while one types is said, and leaves the focus in the composer', async ({ page }) => {
	await withVoices(page, [online]);
	await withRecogniser(page, 'unavailable', true);
	await openChat(page, 'Birds?', birds);
	await field(page).hover();
	await dictate(page).click();
	await field(page).pressSequentially('Tell');
	await page.waitForFunction(() => 'tellAvailable' in window);
	await page.evaluate(() => window.tellAvailable());
	const question = page.getByRole('group', { name: 'Dictate' });
	await expect(question.getByRole('alert')).toHaveText(/^Your browser sends what you say/);
	await page.keyboard.type(' me ');
	await expect(field(page)).toBeFocused();
	await expect(field(page)).toHaveValue('Tell me ');
	await page.keyboard.press('Escape');
	await expect(question).toBeHidden();

	await page.keyboard.press('Control+k');
	await page.getByRole('combobox').fill('read aloud');
	await page.keyboard.press('Enter');
	await expect(bar(page).getByRole('alert')).toHaveText(/^Your browser reads aloud with the online voice/);
	await expect(field(page)).toBeFocused();
	await page.keyboard.press('Space');
	await expect(questionIn(bar(page))).toBeVisible();
	expect([await heard(page), await spoken(page)]).toEqual([[], []]);
	await page.keyboard.press('Shift+Tab');
	await page.keyboard.press('Shift+Tab');
	await expect(bar(page).getByRole('button', { name: 'Continue' })).toBeFocused();
	await page.keyboard.press('Space');
	await expect.poll(() => spoken(page)).toEqual(['A red kite is a bird.']);
});

test('[P8] dictation that needs a download says so, and hears nothing before', async ({ page }) => {
	await withRecogniser(page, 'downloadable');
	await openComposer(page);
	await dictate(page).click();
	const question = page.getByRole('group', { name: 'Dictate' });
	await expect(question).toContainText('on this device, after a download');
	expect(await heard(page)).toEqual([]);
	await question.getByRole('button', { name: 'Download' }).click();
	await started(page);
	expect(await heard(page)).toEqual([{ lang: 'en-GB', isLocal: true, isOver: false, line: 'Listening on this device' }]);
});

test('[P3] dictation that fails says why in a sentence, and keeps what was heard', async ({ page }) => {
	await withRecogniser(page, 'available');
	await openComposer(page);
	const sentences = {
		'not-allowed': /did not allow the microphone/,
		'service-not-allowed': /does not allow dictation here/,
		network: /can’t be reached/,
		'no-speech': /Nothing was heard/,
		'audio-capture': /No microphone was found/,
		'language-not-supported': /can’t write down British English/,
		'bad-grammar': /Dictation has stopped/
	};
	for (const [index, [error, sentence]] of Object.entries(sentences).entries()) {
		await dictate(page).click();
		await started(page, index + 1);
		if (index === 0) await hear(page, 'So far', false);
		await page.evaluate((error) => window.failToHear(error), error);
		await expect(page.getByText(sentence)).toBeVisible();
		await expect(dictate(page)).toHaveAttribute('aria-pressed', 'false');
	}
	await expect(field(page)).toHaveValue('So far');
});

test('[P3] dictation on a touch screen writes without the keyboard that would cover the page', async ({ browser, app }) => {
	const page = await browser.newPage({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 }, baseURL: app.url });
	await withRecogniser(page, 'available');
	await page.goto('./');
	await page.waitForFunction(() => 'snug' in window);
	await page.getByRole('heading', { level: 1 }).tap();
	await dictate(page).tap();
	await started(page);
	await hear(page, 'Tell me');
	await expect(field(page)).toHaveValue('Tell me');
	await expect(field(page)).not.toBeFocused();
	await page.close();
});

test('[P3] dictation ends reading aloud', async ({ page }) => {
	await withVoices(page, [here]);
	await withRecogniser(page, 'available');
	await openChat(page, 'Birds?', birds);
	await inMessageMenu(page, said(page).assistant, 'Read aloud');
	await expect.poll(() => spoken(page)).toHaveLength(1);
	await dictate(page).click();
	await started(page);
	await expect(bar(page)).toBeHidden();
	await expect.poll(() => page.evaluate(() => speechSynthesis.speaking)).toBe(false);
});
