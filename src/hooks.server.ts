import type { Handle } from '@sveltejs/kit';

/**
 * Orders what each page that is built asks for. The first stylesheet has the frame that is painted before any script has run: it comes before the
 * scripts. The others are needed by what scripts draw: they come after that frame, whose painting would wait for them, and before the
 * script that starts the app, which does.
 */
export const handle: Handle = ({ event, resolve }) =>
	resolve(event, {
		transformPageChunk: ({ html }) => {
			const styles = html.match(/[ \t]*<link [^>]*rel="stylesheet">\n/g) ?? [];
			const [first = '', ...others] = styles;
			return styles
				.reduce((page, link) => page.replace(link, ''), html)
				.replace(/[ \t]*<link [^>]*rel="modulepreload">\n/, (script) => first + script)
				.replace('\t\t<div style="display: contents">', (app) => others.join('') + app);
		}
	});
