import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Message } from '../../src/lib/conversation/message';
import type { Session } from '../../src/lib/conversation/session';
import type { ExportFormat } from '../../src/lib/transfer/exports/format';

const id = (number: number) => `01930000-0000-7000-8000-${String(number).padStart(12, '0')}`;

const session: Session = {
	id: id(900),
	key: 'web:default:1',
	title: 'Bees',
	titledBy: 'user',
	workspace: 'default',
	surface: 'web',
	preview: 'w1',
	provider: 'device',
	model: 'smollm2',
	status: 'success',
	stopReason: '',
	steps: 1,
	messageCount: 2,
	bytes: 0,
	usage: {},
	filesTouched: [],
	pinned: 0,
	archived: 0,
	createdAt: Date.UTC(2026, 0, 2),
	updatedAt: Date.UTC(2026, 0, 3)
};

/** Messages that each say a word of their own (`w7`), every one below an earlier one, so that there are branches. */
const trees = fc.array(fc.nat(), { minLength: 1, maxLength: 30 }).map((places) =>
	places.map(
		(place, at): Message => ({
			id: id(at),
			sessionId: session.id,
			parentId: at === 0 ? null : id(place % at),
			depth: at,
			role: at % 2 === 0 ? 'user' : 'assistant',
			parts: [{ type: 'text', text: `w${at}` }],
			createdAt: session.createdAt + at
		})
	)
);

const noted = {
	labels: new Map([[id(0), 'label of one']]),
	notes: ['plan', 'todo'].map((name) => ({ sessionId: session.id, name, content: `- [ ] words of ${name}`, createdAt: session.createdAt, updatedAt: session.createdAt }))
};

async function bytesOf(pieces: Iterable<string | Uint8Array<ArrayBuffer>>): Promise<Uint8Array> {
	return new Uint8Array(await new Blob([...pieces]).arrayBuffer());
}

/** Tests that hold for every format that a session can be exported as. Those of text have every word of every branch in them as it was written. */
export function describeExportFormat(load: () => Promise<ExportFormat>): void {
	it('has an extension and a media type', async () => {
		const { extension, mediaType } = await load();
		expect(extension).toMatch(/^[a-z0-9]{1,8}$/);
		expect(mediaType).toMatch(/^[a-z]+\/[a-z0-9.+-]+(;charset=utf-8)?$/);
	});

	it('writes the same bytes of the same rows, in whatever order these come', async () => {
		const { write } = await load();
		await fc.assert(
			fc.asyncProperty(trees, fc.nat(), async (messages, head) => {
				const headId = id(head % messages.length);
				const written = await bytesOf(write({ session, ...noted, messages, headId }));
				expect(await bytesOf(write({ session, ...noted, messages: messages.toReversed(), headId }))).toEqual(written);
				expect(written.length).toBeGreaterThan(0);
			})
		);
	});

	it('leaves out no message of any branch, no note and no label', async () => {
		const { write, mediaType } = await load();
		if (!mediaType.startsWith('text/')) return;
		await fc.assert(
			fc.asyncProperty(trees, fc.nat(), async (messages, head) => {
				const text = new TextDecoder().decode(await bytesOf(write({ session, ...noted, messages, headId: id(head % messages.length) })));
				const words = text.match(/^w\d+$/gm) ?? [];
				expect(words.toSorted()).toEqual(messages.map((_, at) => `w${at}`).toSorted());
				for (const words of ['label of one', 'words of plan', 'words of todo']) expect(text).toContain(words);
			})
		);
	});
}
