/** A document for the frame of `static/preview.html`. */
export interface Preview {
	html: string;
	/** Set where scripts in it run: they have an opaque origin and no network. */
	runsScripts: boolean;
}

/** Draws in the middle, no larger than the frame. */
const centred = '<style>body{margin:0;min-height:100vh;display:grid;place-items:center}svg{display:block;max-width:100%;max-height:100vh}</style>';

/** Takes away what a policy can't: the one way to the network that it leaves open. A frame within has it still. */
const withoutConnections = '<script>for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) delete window[name];</script>';

/** Returns what code of that language draws. The scripts of HTML run only if they are to, those of SVG never. */
export async function previewOf(language: string, code: string, runsScripts: boolean): Promise<Preview> {
	if (language === 'mermaid') return { html: await diagram(code), runsScripts: true };
	if (language === 'svg') return { html: `<!doctype html>${centred}${code}`, runsScripts: false };
	return { html: `<!doctype html>${runsScripts ? withoutConnections : ''}${code}`, runsScripts };
}

/** Returns a document in which the library draws: there, nothing that a diagram makes of it reaches the app. */
async function diagram(code: string): Promise<string> {
	const { default: library } = await import('@mermaid-js/tiny/dist/mermaid.tiny.js?raw');
	return `<!doctype html>${centred}
		<style>:root{color-scheme:light dark;background:light-dark(white,#1e1d1a)}pre{margin:0;white-space:pre-wrap}</style>
		${withoutConnections}<pre id="drawn" aria-live="polite"></pre>
		<script>${inScript(library)}</script>
		<script>${inScript(`(${draw.toString()})(${JSON.stringify(code)})`)}</script>`;
}

/** Keeps a script from being ended, or taken for something else, by what is in its strings. */
export function inScript(script: string): string {
	return script.replace(/<(?=\/script|script|!--)/gi, '\\x3c');
}

/** Draws a diagram. Runs in the frame, so it knows nothing of this file. */
function draw(code: string): void {
	interface Mermaid {
		initialize(options: object): void;
		render(id: string, code: string): Promise<{ svg: string }>;
	}
	const { mermaid } = globalThis as unknown as { mermaid: Mermaid };
	const drawn = document.getElementById('drawn')!;
	const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'default';
	mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', suppressErrorRendering: true, theme, maxTextSize: 50_000, maxEdges: 500 });
	mermaid.render('diagram', code).then(
		({ svg }) => (drawn.innerHTML = svg),
		(cause: unknown) => (drawn.textContent = `This is not a diagram that can be drawn.\n\n${String(cause)}`)
	);
}
