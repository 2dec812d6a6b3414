import { describe, expect, it } from 'vitest';
import { describeImportFormat, type ImportFixture } from '../../../../tests/contract/import-format';
import { backupFixture } from '../../../../tests/fixtures/import-files';
import { importFormats, type ImportId } from './registry';

const fixtures: Record<ImportId, ImportFixture> = { backup: backupFixture };

it('names each format once', () => {
	expect(new Set(importFormats.map(({ id }) => id)).size).toBe(importFormats.length);
});

describe.each(importFormats)('import of a $label', ({ id, load }) => {
	const others = Object.entries(fixtures).filter(([name]) => name !== id);
	describeImportFormat(id, load, fixtures[id], others.map(([, fixture]) => fixture));
});
