import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { attachFile } from '../app/attach-file';
import { AppError } from '../shared/app-error';
import { Attaching, filesIn } from './attachments.svelte';
import { NewChatText, type ComposerText } from './composer.svelte';

vi.mock(import('../app/attach-file'), { spy: true });

beforeEach(() => {
	// Keeps nothing; what is larger takes longer, and the content is its own hash.
	vi.mocked(attachFile).mockImplementation(async (file) => {
		if (file.size === 0) throw new AppError('attachment-empty', `“${file.name}” is empty.`);
		await new Promise((resolve) => setTimeout(resolve, file.size));
		return { type: 'file', attachmentId: await file.text(), mediaType: 'text/plain', name: file.name };
	});
});
afterEach(() => vi.restoreAllMocks());

function attaching() {
	const composer = new NewChatText();
	return { composer, attaching: new Attaching(composer) };
}

const text = (name: string, content = name) => new File([content], name);
const names = (composer: ComposerText) => composer.attachments.map(({ name }) => name);

describe('Attaching', () => {
	it('[S11] attaches in the order in which files were added, and the same content once', async () => {
		const { composer, attaching: adding } = attaching();
		void adding.add([text('a.txt', 'x'.repeat(50)), text('b.txt')]);
		await adding.add([text('c.txt'), text('d.txt', 'b.txt')]);
		expect(names(composer)).toEqual(['a.txt', 'b.txt', 'c.txt']);
		expect(adding.reading).toEqual([]);
	});

	it('[S11] takes ten a message, with those that are still being read, and names one that was left out', async () => {
		const { composer, attaching: adding } = attaching();
		void adding.add(Array.from({ length: 8 }, (_, index) => text(`${index}.txt`)));
		await adding.add(['a', 'b', 'c', 'd'].map((name) => text(name)));
		expect(names(composer)).toHaveLength(10);
		expect(adding.problems.map(({ message }) => message)).toEqual(['A message can have 10 files at most, so “c” and one other were left out.']);
	});

	it('[S11] says what could not be attached, and attaches the rest', async () => {
		const { composer, attaching: adding } = attaching();
		const parts = await adding.add([text('a.txt'), new File([], 'empty.txt'), text('b.txt')]);
		expect(parts.map((part) => part?.name)).toEqual(['a.txt', undefined, 'b.txt']);
		expect(names(composer)).toEqual(['a.txt', 'b.txt']);
		expect(adding.problems.map(({ message }) => message)).toEqual(['“empty.txt” is empty.']);
	});

	it('[S11] is settled when all is read: to be sent, unless something went wrong meanwhile', async () => {
		const { composer, attaching: adding } = attaching();
		expect(await adding.settled()).toEqual([]);
		void adding.add([text('a.txt')]);
		void adding.add([text('b.txt')]);
		expect((await adding.settled())?.map(({ name }) => name)).toEqual(['a.txt', 'b.txt']);
		expect(names(composer)).toEqual(['a.txt', 'b.txt']);
		void adding.add([new File([], 'empty.txt')]);
		expect(await adding.settled()).toBeUndefined();
	});
});

describe('filesIn', () => {
	it('[S11] a pasted file is a file, pasted text stays text, also with a picture of it beside', () => {
		const pasted = new DataTransfer();
		expect(filesIn(null)).toEqual([]);
		pasted.items.add(new File(['x'], 'image.png'));
		pasted.setData('text/html', '<img>');
		expect(filesIn(pasted)).toHaveLength(1);
		pasted.setData('text/plain', 'a	b');
		expect(filesIn(pasted)).toEqual([]);
	});
});
