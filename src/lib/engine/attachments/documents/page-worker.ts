import { openPage } from './page';
import { serveReader } from './serve-reader';

serveReader(openPage);
