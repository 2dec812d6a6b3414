import { expect, it } from 'vitest';
import { chooseVoice } from './choose-voice';

const voice = (lang: string, { local = true, isDefault = false } = {}) => ({ lang, localService: local, default: isDefault });
const english = 'The red kite is a bird.';

it('chooses a voice of the language and region that the user prefers', () => {
	const voices = [voice('de-DE', { isDefault: true }), voice('en-US'), voice('en_GB'), voice('fr-FR')];
	expect(chooseVoice(voices, english, ['en-GB', 'de'])?.lang).toBe('en_GB');
	expect(chooseVoice(voices, english, ['fr', 'en'])?.lang).toBe('fr-FR');
	expect(chooseVoice(voices, '42', ['nl'])?.lang).toBe('de-DE');
});

it('chooses one on the device before one that is not', () => {
	const voices = [voice('en-US', { local: false, isDefault: true }), voice('en-GB')];
	expect(chooseVoice(voices, english, ['en-US'])?.lang).toBe('en-GB');
});

it('chooses one that can read the text before one on the device', () => {
	const voices = [voice('en-US'), voice('ja-JP', { local: false }), voice('zh-CN'), voice('ru-RU'), voice('ko-KR')];
	expect(chooseVoice(voices, 'これは鳥です。', ['en-US'])?.lang).toBe('ja-JP');
	expect(chooseVoice(voices, '红鸢是一种鸟。', ['en-US'])?.lang).toBe('zh-CN');
	expect(chooseVoice(voices, 'Красный коршун', ['en-US'])?.lang).toBe('ru-RU');
	expect(chooseVoice(voices, '붉은 솔개', ['en-US'])?.lang).toBe('ko-KR');
	expect(chooseVoice(voices, english, ['ru'])?.lang).toBe('en-US');
});

it('chooses another where none can read the text, and none where there is none', () => {
	expect(chooseVoice([voice('', { local: false }), voice('en-scotland')], 'ελληνικά', ['en'])?.lang).toBe('en-scotland');
	expect(chooseVoice([], english, ['en'])).toBeUndefined();
});
