import type { ArchiveFormat } from './archive-format';
import { docx } from './docx';
import { epub } from './epub';
import { odt } from './odt';
import { pptx } from './pptx';
import { xlsx } from './xlsx';

/** All that are read. */
export const archiveFormats: ArchiveFormat[] = [docx, xlsx, pptx, odt, epub];
