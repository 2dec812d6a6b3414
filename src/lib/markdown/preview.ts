/** A document for the frame of `static/preview.html`. */
export interface Preview {
	html: string;
	/** Set where scripts in it run: they have an opaque origin and no network. */
	runsScripts: boolean;
}

/** Draws in the middle, no larger than the frame. */
const centred = '<style>body{margin:0;min-height:100vh;display:grid;place-items:center}svg{display:block;max-width:100%;max-height:100vh}</style>';

/** The start of a document. No policy keeps a browser from looking up the names of hosts that links and hints name, and a name can say anything. */
const start = '<!doctype html><meta http-equiv="x-dns-prefetch-control" content="off">';

/** Takes away what a policy can't: the one way to the network that it leaves open, and the ways that lead the app's window back. A frame within has them still. */
const withoutConnections =
	'<script>for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) delete window[name]; for (const name of ["back", "forward", "go"]) delete History.prototype[name];</script>';

export type Theme = 'light' | 'dark';

/** The extent of a drawing: so high in pixels where there is room for it, and so many times as high as the frame is wide where there is less. */
export interface Extent {
	height: number;
	ratio: number;
}

/** The reason why a picture is not drawn: the line of a diagram's mistake if that is known, that no diagrams of its kind are drawn, or that there is nothing in it. */
export interface Mistake {
	mistake: number | 'kind' | 'nothing' | undefined;
}

/** Returns what code of that language draws. The scripts of HTML run only if they are to, those of SVG never. */
export async function previewOf(language: string, code: string, runsScripts: boolean, theme: Theme): Promise<Preview> {
	if (language === 'mermaid') return { html: await diagram(code, theme), runsScripts: true };
	if (language === 'svg') return { html: `${start}${centred}${code}`, runsScripts: false };
	return { html: `${start}${runsScripts ? withoutConnections : ''}${code}`, runsScripts };
}

/** Returns the extent that SVG says it has. One that names no length is as large as the frame lets it be. */
export function extentOfSvg(code: string): Extent {
	const tag = /<svg\b[^>]*/i.exec(code)?.[0] ?? '';
	const valueOf = (name: string) => new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)`, 'i').exec(tag)?.[1]?.trim() ?? '';
	const [width, height] = ['width', 'height'].map((name) => Number(/^([\d.]+)(?:px)?$/.exec(valueOf(name))?.[1])) as [number, number];
	const [, , boxWidth, boxHeight] = valueOf('viewBox').split(/[\s,]+/).map(Number);
	const ratio = [height / width, boxHeight! / boxWidth!].find(isExtent);
	if (ratio === undefined) return { height: isExtent(height) ? height : 150, ratio: largest };
	return { height: [height, width * ratio].find(isExtent) ?? largest, ratio };
}

/** Tells whether code is SVG that draws nothing: a browser leaves out a tag that does not end, with all that follows it. */
export function isEmptySvg(code: string): boolean {
	return !/<svg\b[^<>]*>[^]*<[a-z][^<>]*>/i.test(code);
}

const largest = 10_000;
const isExtent = (value: unknown): value is number => typeof value === 'number' && value > 0 && value <= largest;

/** Reads what a diagram tells of itself, which may be anything. */
export function readTold(data: unknown, code: string): Extent | Mistake | undefined {
	if (typeof data !== 'object' || data === null) return undefined;
	const { width, height, mistake } = data as Partial<Record<string, unknown>>;
	if (isExtent(width) && isExtent(height)) return { height, ratio: height / width };
	if (mistake === 'kind') return { mistake };
	if (typeof mistake !== 'number') return undefined;
	// Mermaid takes comments, and what is above a diagram, away before it counts.
	const isCounted = !code.includes('%%') && !/^\s*(?:\n|---)/.test(code);
	return { mistake: isCounted && Number.isInteger(mistake) && mistake > 0 && mistake <= code.split('\n').length ? mistake : undefined };
}

/** The colours of a pie chart on a dark page: each slice stands out from it, and so do dark words on the slice. */
const darkPie = {
	...Object.fromEntries(
		['#8fb4e3', '#e8b265', '#8fca9a', '#e39a9a', '#c3a6e6', '#7fcac9', '#d9cc6f', '#e3a3cb', '#a9c47a', '#b9b5ac', '#e0a07a', '#9fb0f0'].map((colour, at) => [`pie${at + 1}`, colour])
	),
	pieSectionTextColor: '#1e1d1a',
	pieStrokeColor: '#1e1d1a',
	pieOuterStrokeColor: '#1e1d1a',
	pieOpacity: '1'
};

/** Returns a document in which the library draws: there, nothing that a diagram makes of it reaches the app. */
async function diagram(code: string, theme: Theme): Promise<string> {
	const { default: library } = await import('@mermaid-js/tiny/dist/mermaid.tiny.js?raw');
	const look = theme === 'dark' ? { theme, themeVariables: darkPie } : { theme: 'default' };
	return `${start}${centred}
		<style>:root{color-scheme:${theme};background:light-dark(white,#1e1d1a)}#drawn{display:grid;place-items:center;width:100%}</style>
		${withoutConnections}<div id="drawn"></div>
		<script>${inScript(library)}</script>
		<script>${inScript(`(${draw.toString()})(${[code, look, location.origin].map((value) => JSON.stringify(value)).join()})`)}</script>`;
}

/** Keeps a script from being ended, or taken for something else, by what is in its strings. */
export function inScript(script: string): string {
	return script.replace(/<(?=\/script|script|!--)/gi, '\\x3c');
}

/** Draws a diagram, and tells the app what `readTold` reads. Runs in the frame, so it knows nothing of this file. */
function draw(code: string, look: object, origin: string): void {
	interface Mermaid {
		initialize(options: object): void;
		render(id: string, code: string): Promise<{ svg: string }>;
	}
	const { mermaid } = globalThis as unknown as { mermaid: Mermaid };
	const drawn = document.getElementById('drawn')!;
	const tell = (told: object) => parent.parent.postMessage(told, origin);
	mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', suppressErrorRendering: true, ...look, maxTextSize: 50_000, maxEdges: 500 });
	mermaid.render('diagram', code).then(
		({ svg }) => {
			drawn.innerHTML = svg;
			const { width, height } = drawn.querySelector('svg')!.viewBox.baseVal;
			tell({ width, height });
		},
		(cause: unknown) => {
			if (cause instanceof Error && cause.name === 'UnknownDiagramError') return tell({ mistake: 'kind' });
			tell({ mistake: Number(/^Error: (?:Parse error|Lexical error|Parsing failed:\s+\w+ error) on line (\d+)/.exec(String(cause))?.[1]) });
		}
	);
}
