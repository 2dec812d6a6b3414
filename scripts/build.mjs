// `npm run build`: builds always. `npm start` builds only when something that goes into the build has changed.
import { build } from './app-build.mjs';
import { runMain } from './halt.mjs';

await runMain(() => build());
