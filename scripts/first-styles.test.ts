import { expect, it } from 'vitest';
import { withFirstStyles } from './first-styles.mjs';

const page = (...styles: string[]) =>
	[
		'<link href="/snug/app/start.js" rel="modulepreload">',
		'\t\t<link href="/snug/app/chat.js" rel="modulepreload">',
		...styles.map((name) => `\t\t<link href="/snug/app/${name}.css" rel="stylesheet">`),
		'</head>'
	].join('\n');

it('[P3] a page links the styles of the scripts that it preloads, and of no other', () => {
	const manifest = {
		start: { file: 'app/start.js', css: ['app/base.css'] },
		chat: { file: 'app/chat.js', css: ['app/chat.css'] },
		palette: { file: 'app/palette.js', css: ['app/palette.css'] },
		icons: { file: 'app/icons.js' }
	};
	expect(withFirstStyles(page('base', 'palette', 'chat'), manifest)).toBe(page('base', 'chat'));
	expect(withFirstStyles(page('palette'), manifest)).toBe(page());
});
