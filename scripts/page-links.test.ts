import { expect, it } from 'vitest';
import { inOrder, withFirstStyles, withImports, withoutUnasked } from './page-links.mjs';

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

it('[P1] a page asks for the styles of the frame before the scripts, and for the others after the frame', () => {
	const whole = (...parts: string[]) => ['<head>', ...parts, '</head>', '<p>frame</p>', '<!-- styles -->', '<div></div>'].join('\n');
	const [script, frame, app] = ['<link href="/a/start.js" rel="modulepreload">', '<link href="/a/base.x1.css" rel="stylesheet">', '<link href="/a/app.x2.css" rel="stylesheet">'];
	const ordered = inOrder(whole(script!, app!, frame!));
	const at = [frame!, script!, '<p>frame</p>', app!, '<div></div>'].map((part) => ordered.indexOf(part));
	expect(at).toEqual(at.toSorted((a, b) => a - b));
	expect(Math.min(...at)).toBeGreaterThanOrEqual(0);
	expect(() => inOrder(whole(script!, frame!).replace('<!-- styles -->', ''))).toThrow('no place');
	expect(() => inOrder(whole(script!, app!))).toThrow('no place');
});

it('[P3] a page preloads a layout or a page that the app asks for, and no other', () => {
	const links = ['chunks/app.js', 'nodes/0.x.js', 'nodes/5.y.js'].map((name) => `<link href="/snug/_app/${name}" rel="modulepreload">`);
	expect(withoutUnasked(links.join('\n'), 'const nodes = [() => import("../nodes/5.y.js")]')).toBe([links[0], links[2]].join('\n'));
});

it('[P3] a page preloads all that its scripts import, however far, and each once', () => {
	const manifest = {
		'settings.js': { file: 'app/settings.1.js', imports: ['_forms.js', '_start.js'] },
		'_forms.js': { file: 'app/forms.2.js', imports: ['_kit.js', '_start.js'] },
		'_kit.js': { file: 'app/kit.3.js', imports: ['_forms.js'] },
		'_start.js': { file: 'app/start.4.js' },
		'_palette.js': { file: 'app/palette.5.js', imports: ['_kit.js'] }
	};
	const link = (name: string) => `<link href="/snug/app/${name}.js" rel="modulepreload">`;
	expect(withImports(`<head>${link('start.4')}${link('settings.1')}</head>`, manifest).match(/<link[^>]+>/g)).toEqual(['start.4', 'settings.1', 'forms.2', 'kit.3'].map(link));
	expect(withImports(`<head>${link('start.4')}</head>`, manifest)).toBe(`<head>${link('start.4')}</head>`);
	expect(withImports('<head></head>', manifest)).toBe('<head></head>');
	expect(() => withImports(`<head>${link('start.4')}</head>`, { start: { file: 'app/start.4.js', imports: ['gone'] } })).toThrow('a script imports gone, which');
});
