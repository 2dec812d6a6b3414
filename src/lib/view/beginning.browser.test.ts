import { expect, it } from 'vitest';
import { beginning } from './beginning';

it('[E3] choices for a new chat go with its first message, and come back where that fails, below what was chosen since', () => {
	beginning.change({ systemPrompt: 'Rhyme.', parameters: { temperature: 0, seed: 7 } });
	const { taken, putBack } = beginning.take();
	expect([taken, beginning.current]).toEqual([{ systemPrompt: 'Rhyme.', parameters: { temperature: 0, seed: 7 } }, {}]);
	expect(sessionStorage.getItem('snug:beginning')).toBeNull();
	beginning.change({ parameters: { seed: 8 } });
	putBack();
	expect(beginning.current).toEqual({ systemPrompt: 'Rhyme.', parameters: { temperature: 0, seed: 8 } });
	beginning.take();
	expect(beginning.current).toEqual({});
});
