import { describe, expect, it } from 'vitest';
import { describeExportFormat } from '../../../../tests/contract/export-format';
import { exportFormats } from './registry';

it('names each format once', () => {
	expect(new Set(exportFormats.map(({ id }) => id)).size).toBe(exportFormats.length);
});

describe.each(exportFormats)('[A13] export as $label', ({ load }) => describeExportFormat(load));
