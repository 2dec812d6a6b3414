import { openPdf } from './pdf';
import { serveReader } from './serve-reader';

serveReader(openPdf);
