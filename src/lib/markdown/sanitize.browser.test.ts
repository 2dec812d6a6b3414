import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BlockStream } from './blocks';
import { languageOf, render } from './render';
import { sanitize } from './sanitize';

function dom(html: string): HTMLElement {
	const root = document.createElement('div');
	root.innerHTML = html;
	return root;
}

const show = (markdown: string) => dom(sanitize(render(markdown)));

const allowed = /^(H[2-6]|P|BR|HR|BLOCKQUOTE|UL|OL|LI|A|EM|STRONG|S|CODE|PRE|DIV|TABLE|THEAD|TBODY|TR|TH|TD|FIGURE|FIGCAPTION|SPAN|BUTTON|DETAILS|SUMMARY)$/;

function expectHarmless(root: HTMLElement): void {
	for (const element of root.querySelectorAll('*')) {
		expect(element.nodeName).toMatch(allowed);
		for (const { name, value } of element.attributes) {
			expect(name).not.toMatch(/^(on|style|src|srcset|id|name|formaction|xlink)/);
			if (name === 'href') expect(value).toMatch(/^(https?:|mailto:|tel:)/i);
		}
		if (element.hasAttribute('href')) {
			expect(element.getAttribute('target')).toBe('_blank');
			expect(element.getAttribute('rel')).toBe('noopener noreferrer nofollow');
			expect(element.getAttribute('referrerpolicy')).toBe('no-referrer');
		}
	}
}

const hostile = [
	'<script>alert(1)</script>',
	'<img src=x onerror=alert(1)>',
	'<svg onload=alert(1)><style><img src=x onerror=alert(1)></style></svg>',
	'<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
	'<style>*{display:none}</style>',
	'<iframe srcdoc="<script>alert(1)</script>"></iframe>',
	'[a](javascript:alert(1))',
	'[a](JaVaScRiPt:alert(1))',
	'[a](java&#10;script:alert(1))',
	'[a](&#106;avascript:alert(1))',
	'<javascript:alert(1)>',
	'[a](data:text/html,<script>alert(1)</script>)',
	'![a](data:image/svg+xml;base64,PHN2Zz4=)',
	'![a](data:image/png;base64,AAAA)',
	'![a](https://tracker.example/x.png)',
	'[![a](https://tracker.example/x.png)](https://b.example)',
	'[a](vbscript:x) [b](file:///etc/passwd) [c](/settings) [d](#x) [e](//evil.example)',
	'[a](https://x.example "\\" onclick=\\"alert(1)")',
	'[x]: javascript:alert(1)\n\n[x]',
	'```"><img src=x onerror=alert(1)>\ncode\n```',
	'```js" onmouseover="alert(1)\n</code></pre><script>alert(1)</script>\n```',
	'~~~<script>\nx\n~~~',
	'| <img src=x onerror=alert(1)> | b |\n|:-:|---|\n| `<b>` | "onclick="x |',
	'# <h1 onclick=x>',
	'&lt;script&gt;alert(1)&lt;/script&gt; &#60;img src=x onerror=alert(1)&#62;',
	'\u0000<scr\u0000ipt>',
	'<details ontoggle=alert(1) open><summary onclick=alert(1)><img src=x onerror=alert(1)></summary>\n<script>alert(1)</script>\n</details>',
	'<details open><summary>[a](javascript:alert(1))</summary>\n![a](https://tracker.example/x.png)\n</details>',
	'[^"><img src=x onerror=alert(1)>] [^a]\n\n[^a]: <script>alert(1)</script>\n[^"]: x'
];

describe('sanitize after render', () => {
	it.each(hostile)('makes %j harmless', (markdown) => {
		expectHarmless(show(markdown));
	});

	it('makes any mixture of them harmless', () => {
		const piece = fc.oneof(fc.constantFrom(...hostile, '\n', '\n\n', '> ', '- ', '    ', '`', '**', '|', '<', '"'), fc.string());
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => expectHarmless(show(pieces.join('')))),
			{ numRuns: 400 }
		);
	});

	it('holds by itself, whatever reaches it', () => {
		for (const html of hostile) expectHarmless(dom(sanitize(html)));
	});

	it('takes nothing away from what render makes', () => {
		const markdown = [
			'# One\n\n## Two\n\n#### Four\n\ntext *em* **strong** ~~s~~ `code` https://a.example <mailto:a@b.example>',
			'3. a\n4. b\n\n- c\n  - d\n\n> q\n\n---\n\n| l | c | r |\n|:--|:-:|--:|\n| 1 | 2 | 3 |\n',
			'```ts title="x"\nlet a = "<b>";\n```\n\n    indented\n\n[t](https://a.example "title")\nnew line',
			'- [ ] a\n- [x] b\n\n<details open>\n<summary>s</summary>\n\nc[^1]\n\n</details>\n\n[^1]: note'
		].join('\n\n');
		const html = render(markdown);
		expect(show(markdown).isEqualNode(dom(html))).toBe(true);
	});

	it('[P10] sets headings below that of the page, none of them two levels below the one before', () => {
		const levels = (markdown: string) => [...show(markdown).children].map((child) => child.nodeName);
		expect(levels('# a\n\n## b\n\n### c\n\n#### d\n\n##### e\n\n###### f\n\ng\n---')).toEqual(['H2', 'H3', 'H4', 'H5', 'H6', 'H6', 'H3']);
		expect(levels('### a\n\n##### b\n\n#### c\n\n# d\n\n### e')).toEqual(['H2', 'H3', 'H3', 'H2', 'H3']);
	});

	it('shows an image as a link to it, and only as its text inside a link', () => {
		const root = show('![the cat](https://a.example/cat.png "tt") and [![dog](https://a.example/dog.png)](https://b.example)');
		const links = [...root.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')]);
		expect(links).toEqual([
			['the cat', 'https://a.example/cat.png'],
			['dog', 'https://b.example']
		]);
	});

	it('links whole URLs only, not file names', () => {
		const root = show('See readme.md, main.rs and https://a.example/b.');
		expect([...root.querySelectorAll('a')].map((link) => link.textContent)).toEqual(['https://a.example/b']);
	});

	it('draws fences so that they can be copied, reached and scrolled, and columns of tables by classes', () => {
		const root = show('```ts\nlet a;\n```\n\n| a |\n|--:|\n| 1 |');
		expect(root.querySelector('figure.code')!.outerHTML).toBe(
			'<figure class="code" data-lang="ts"><figcaption><span>ts</span>' +
				'<button type="button" class="wrap" aria-pressed="false">Wrap lines</button><button type="button" class="download">Download</button>' +
				'<button type="button" class="copy" aria-live="polite">Copy</button></figcaption>' +
				'<pre tabindex="0"><code>let a;\n</code></pre></figure>'
		);
		expect(root.querySelector('td')!.className).toBe('align-right');
	});

	it('reads a language off an info string and nothing else', () => {
		expect(['ts', 'ts title="a"', '{.python}', 'c++', 'C#', '"><b>', 'x'.repeat(50), ''].map(languageOf)).toEqual(
			['ts', 'ts', 'python', 'c++', 'C#', '', '', '']
		);
	});

	it('returns in good time from a megabyte of anything', () => {
		for (const piece of ['[', '*', '>', '<', '![a](', '`', '&', '\\', '> ', '- ', '<a href="']) {
			const start = performance.now();
			const stream = new BlockStream();
			stream.set(piece.repeat(1_000_000 / piece.length));
			if (stream.open?.kind === 'html') sanitize(stream.open.html);
			stream.finish();
			for (const { html } of stream.blocks) sanitize(html);
			const time = performance.now() - start;
			console.info(`1 MB of ${JSON.stringify(piece)}: ${time.toFixed(0)} ms`);
			expect(time).toBeLessThan(10_000);
		}
	}, 60_000);
});
