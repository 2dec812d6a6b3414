/**
 * The form of a command: a slash and a letter, and no further slash in its first word. `/usr/bin/env` is a message, as are `// text` and anything after a
 * space. Its groups are the name and what follows that.
 */
export const commandForm = /^\/(\p{L}[^\s/]*)(?:\s([^]*))?$/u;
