import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AppError } from '../../src/lib/shared/app-error';
import type { Database } from '../../src/lib/storage/database';
import { examine } from '../../src/lib/storage/examine';
import { openAsItIs } from '../../src/lib/storage/raw-database';
import type { ImportFormat, Unit } from '../../src/lib/transfer/imports/format';
import { importFile, inspectFile } from '../../src/lib/transfer/imports/import-file';
import { receiptOf, type Receipt } from '../../src/lib/transfer/imports/receipt';
import { recognise } from '../../src/lib/transfer/imports/recognise';
import { endsOf, type Tally } from '../../src/lib/transfer/imports/tally';
import { contentOf, openDatabase } from '../fixtures/database';

/** A file of a format, of several chats with branches and an attachment, and what of it does not come. */
export interface ImportFixture {
	file(): Promise<Blob>;
	skipped: Receipt['skipped'];
}

const now = Date.UTC(2026, 5, 1);
const nothing: Tally = { sessions: 0, messages: 0, branches: 0, attachments: 0 };
const kinds = Object.keys(nothing) as (keyof Tally)[];

const imported = async (db: Database, file: Blob) => receiptOf(await importFile(db, file, { now }));
const inspected = async (db: Database, file: Blob) => receiptOf(await inspectFile(db, file, { now }));

/** Counts what is in the store. */
async function stored(db: Database): Promise<Tally> {
	const messages = await db.messages.toArray();
	return { sessions: await db.sessions.count(), messages: messages.length, branches: endsOf(messages).length, attachments: await db.attachments.count() };
}

async function unitsOf({ units }: ImportFormat, file: Blob): Promise<Unit[]> {
	const all: Unit[] = [];
	for await (const unit of units(file)) all.push(unit);
	return all;
}

/** Tests that hold for every format that can be imported; `others` are files of all other formats. */
export function describeImportFormat(id: string, load: () => Promise<ImportFormat>, fixture: ImportFixture, others: ImportFixture[]): void {
	it('recognises its files, and nothing else', async () => {
		const { recognises } = await load();
		const file = await fixture.file();
		expect(await recognises(file)).toBe(true);
		expect((await recognise(file)).id).toBe(id);
		for (const other of others) expect(await recognises(await other.file())).toBe(false);
		for (const strange of ['', 'My diary', '{}\n', '[]', '[{"title":"Chat"}]', 'PK\u0003\u0004', '\u001f\u008b']) expect(await recognises(new Blob([strange]))).toBe(false);
		await fc.assert(
			fc.asyncProperty(fc.uint8Array(), async (bytes) => {
				expect(await recognises(new Blob([bytes]))).toBe(false);
			})
		);
	});

	it('says first how much there is, and gives each session once, with its own rows and the same ids each time', async () => {
		const format = await load();
		const file = await fixture.file();
		const units = await unitsOf(format, file);
		expect(units.map(({ kind }) => kind).indexOf('about')).toBe(0);
		const sessions = units.filter((unit) => unit.kind === 'session');
		expect(sessions.length).toBeGreaterThan(1);
		expect(new Set(sessions.map(({ id }) => id)).size).toBe(sessions.length);
		for (const unit of sessions) {
			for (const { table, row } of unit.rows) {
				if (table !== 'attachments') expect((row as Record<string, unknown>)[table === 'sessions' ? 'id' : 'sessionId']).toBe(unit.id);
			}
		}
		expect(await unitsOf(format, file)).toEqual(units);
	});

	it('[P8] brings what passes the gate, and the receipt says what there is then', async () => {
		const db = openDatabase();
		const receipt = await imported(db, await fixture.file());
		expect(receipt).toMatchObject({ format: id, merged: nothing, skipped: fixture.skipped });
		expect(receipt.kept).toEqual(await stored(db));
		const skipped = (what: string) => receipt.skipped.reduce((sum, one) => sum + (one.what === what ? one.count : 0), 0);
		for (const kind of ['sessions', 'messages', 'attachments'] as const) expect([kind, receipt.kept[kind] + skipped(kind)]).toEqual([kind, receipt.found[kind]]);
		for (const kind of kinds) expect([kind, receipt.kept[kind]]).not.toEqual([kind, 0]);
		expect(receipt.kept.branches).toBeGreaterThan(receipt.kept.sessions);
		const raw = (await openAsItIs(indexedDB, db.name))!;
		expect(await examine(raw).finally(() => raw.close())).toMatchObject({ invalidRows: [], invalidSessions: [] });
	});

	it('[P8] decides nothing of what is sent, or where to', async () => {
		const db = openDatabase();
		await imported(db, await fixture.file());
		expect([await db.settings.toArray(), await db.providers.toArray(), await db.secrets.toArray()]).toEqual([[], [], []]);
	});

	it('changes nothing the second time', async () => {
		const db = openDatabase();
		const file = await fixture.file();
		const first = await imported(db, file);
		const before = await contentOf(db);
		const second = await imported(db, file);
		expect(second).toEqual({ ...first, kept: nothing, merged: first.kept });
		expect(await contentOf(db)).toEqual(before);
	});

	it('writes nothing in a dry run, which gives the receipt that the import gives', async () => {
		const db = openDatabase();
		const file = await fixture.file();
		const dry = await inspected(db, file);
		expect(Object.values(await contentOf(db)).flat()).toEqual([]);
		expect(await imported(db, file)).toEqual(dry);
		expect(await inspected(db, file)).toEqual(await imported(db, file));
	});

	it('[P8] is refused in a sentence or skipped with a reason where it is cut off or changed, and is never half there', { timeout: 60_000 }, async () => {
		const bytes = new Uint8Array(await (await fixture.file()).arrayBuffer());
		const { found } = await inspected(openDatabase(), new Blob([bytes]));
		const damage = fc.record({ at: fc.nat(bytes.length - 1), change: fc.integer({ min: 1, max: 255 }) });
		let refused = 0;
		await fc.assert(
			fc.asyncProperty(damage, fc.boolean(), async ({ at, change }, isCut) => {
				const damaged = bytes.slice(0, isCut ? at : bytes.length);
				if (!isCut) damaged[at]! ^= change;
				const db = openDatabase();
				try {
					const receipt = await imported(db, new Blob([damaged]));
					expect(receipt.kept).toEqual(await stored(db));
					if (isCut && receipt.skipped.length === fixture.skipped.length) expect(receipt.found).toEqual(found);
				} catch (error) {
					refused++;
					expect(error).toBeInstanceOf(AppError);
					expect((error as AppError).message).toMatch(/^[A-Z].*\.$/);
					expect(Object.values(await contentOf(db)).flat()).toEqual([]);
				}
			}),
			{ numRuns: 40 }
		);
		expect(refused).toBeGreaterThan(0);
	});
}
