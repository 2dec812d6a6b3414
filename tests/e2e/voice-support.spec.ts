// What the browser has of speech, really: no stand-in. Chromium of the tests has no voice, Firefox neither voice nor recogniser.
import { expect, test } from './app';
import { said, storedConversation, withSessions } from './chat';

test.use({ weights: 'none' });

test('[P3] there is no button for speech that the browser does not have', async ({ page }) => {
	const stored = storedConversation(1, ['Birds?', 'A red kite.']);
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(`./s/${stored.sessions.id}`);
	const { voices, recognises } = await page.evaluate(() => ({ voices: speechSynthesis.getVoices().length, recognises: 'SpeechRecognition' in window }));
	const answer = said(page).assistant;
	await answer.hover();
	await answer.getByRole('button', { name: 'More' }).click();
	const menu = page.getByRole('group', { name: 'Message' });
	await expect(menu.getByRole('button', { name: 'Copy link to here' })).toBeVisible();
	await expect(menu.getByRole('button', { name: 'Read aloud' })).toHaveCount(Math.min(voices, 1));
	await page.keyboard.press('Escape');
	// What takes files that are dropped comes with it.
	await expect(page.locator('form.composer > [popover]')).toBeAttached();
	await expect(page.getByRole('button', { name: 'Dictate' })).toHaveCount(Number(recognises));
});
