import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { Archive, pathFrom } from './archive';
import { archiveFormats } from './archive-formats';
import { collectText } from './collect-text';
import { Refused } from './document';

/** Reads an archive as the worker does. */
async function read(archive: Archive) {
	const format = archiveFormats.find((format) => format.recognises(archive))!;
	const document = format.open(archive);
	return { ...document, ...(await collectText(document)) };
}

const zip = (files: Record<string, string>) => new Archive(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))) as Uint8Array<ArrayBuffer>);
const textOf = async (files: Record<string, string>) => (await read(zip(files))).text;


describe('a Word document', () => {
	const body = (xml: string) => ({ 'word/document.xml': `<w:document xmlns:w="w"><w:body>${xml}</w:body></w:document>` });
	const paragraph = (xml: string) => `<w:p>${xml}</w:p>`;

	test('[P3] has its footnotes at the end; what was deleted, instructions of fields and tab stops are no text', async () => {
		const text = await textOf({
			...body(paragraph('<w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr><w:r><w:t>One</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:instrText>PAGE</w:instrText><w:tab/><w:t> two</w:t></w:r>')),
			'word/footnotes.xml': `<w:footnotes>${paragraph('<w:r><w:t>A note</w:t></w:r>')}</w:footnotes>`
		});
		expect(text).toBe('One\t two\n\nA note\n');
	});

	test('[P3] has the text of a drawing once, and of a table in a table on the row', async () => {
		const box = paragraph('<w:r><w:t>Box</w:t></w:r>');
		const cell = (xml: string) => `<w:tc>${xml}</w:tc>`;
		const inner = `<w:tbl><w:tr>${cell(paragraph('<w:r><w:t>b</w:t></w:r>'))}</w:tr></w:tbl>`;
		const table = `<w:tbl><w:tr>${cell(paragraph('<w:r><w:t>a</w:t></w:r>') + inner)}${cell(paragraph('<w:r><w:t>c</w:t></w:r>'))}</w:tr></w:tbl>`;
		const text = await textOf(body(`<mc:AlternateContent><mc:Choice>${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent>${table}`));
		expect(text.match(/Box/g)).toHaveLength(1);
		expect(text.split('\n').slice(1).join(' ')).toMatch(/^a\s+b\s+c/);
	});
});

describe('an Excel workbook', () => {
	const workbook = (sheet: string, others: Record<string, string> = {}, properties = '') => ({
		'xl/workbook.xml': `<x:workbook><x:workbookPr ${properties}/><x:sheets><x:sheet name="A &amp; B" sheetId="1" r:id="rId9"/></x:sheets></x:workbook>`,
		'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="rId9" Type="http://x/worksheet" Target="/xl/worksheets/one.xml"/><Relationship Id="rId1" Type="x/y" Target="https://example.com/" TargetMode="External"/></Relationships>',
		'xl/worksheets/one.xml': `<x:worksheet><x:sheetData>${sheet}</x:sheetData></x:worksheet>`,
		...others
	});

	test('[P3] has texts by reference without how they are pronounced, and cells in their columns', async () => {
		const sheet = '<x:row><x:c r="C1" t="s"><x:v>1</x:v></x:c><x:c r="D1" t="s"><x:v>7</x:v></x:c><x:c r="E1" t="e"><x:v>#REF!</x:v></x:c></x:row><x:row><x:c t="inlineStr"><x:is><x:t>in</x:t><x:rPh><x:t>ruby</x:t></x:rPh></x:is></x:c><x:c><x:f>A1*2</x:f><x:v>4</x:v></x:c></x:row>';
		const strings = '<sst><si><t>zero</t></si><si><r><t>o</t></r><r><t>ne</t></r><rPh><t>ruby</t></rPh></si></sst>';
		expect(await textOf(workbook(sheet, { 'xl/sharedStrings.xml': strings }))).toBe('[Sheet A & B]\none\t\t#REF!\nin\t4\n');
	});

	test('[P3] writes dates as dates, by either epoch', async () => {
		const styles = '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm"/><numFmt numFmtId="171" formatCode="0 &quot;days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>';
		const cells = [0, 1, 2, 3].map((style) => `<x:c s="${style}"><x:v>45351.5</x:v></x:c>`).join('');
		const times = '<x:row><x:c s="1"><x:v>0.75</x:v></x:c><x:c s="1"><x:v>1e300</x:v></x:c><x:c s="1"><x:v>-5</x:v></x:c></x:row>';
		const sheet = `<x:row>${cells}</x:row>${times}`;
		expect(await textOf(workbook(sheet, { 'xl/styles.xml': styles }))).toBe('[Sheet A & B]\n45351.5\t2024-02-29 12:00\t2024-02-29 12:00\t45351.5\n18:00\t1e300\t-5\n');
		expect(await textOf(workbook(sheet, { 'xl/styles.xml': styles }, 'date1904="1"'))).toContain('2028-03-01 12:00');
	});

	test('[P3] is read in good time, however far apart its cells are and however often it has a text', async () => {
		const row = '<x:row><x:c r="A1" t="s"><x:v>0</x:v></x:c><x:c r="XFD1" t="s"><x:v>0</x:v></x:c></x:row>';
		const { text, whole } = await read(zip(workbook(row.repeat(20_000), { 'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(1000)}</t></si></sst>` })));
		expect(whole).toBe(false);
		expect(text.length).toBeLessThanOrEqual(1_000_000);
	});
});

describe('a PowerPoint presentation', () => {
	test('[P3] has its slides in the order in which they are shown', async () => {
		const slide = (text: string) => `<p:sld><p:sp><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sp></p:sld>`;
		const text = await textOf({
			'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId r:id="b" id="256"/><p:sldId id="257" r:id="a"/><p:sldId id="258" r:id="nowhere"/></p:sldIdLst></p:presentation>',
			'ppt/_rels/presentation.xml.rels': '<Relationships><Relationship Id="a" Type="x/slide" Target="slides/1.xml"/><Relationship Id="b" Type="x/slide" Target="slides/2.xml"/></Relationships>',
			'ppt/slides/1.xml': slide('Shown last'),
			'ppt/slides/2.xml': slide('Shown first')
		});
		expect(text).toBe('[Slide 1]\nShown first\n\n[Slide 2]\nShown last\n');
	});
});

describe('an OpenDocument text', () => {
	const odt = (xml: string, others: Record<string, string> = {}) => ({
		mimetype: 'application/vnd.oasis.opendocument.text',
		'content.xml': `<office:document-content><office:body><office:text>${xml}</office:text></office:body></office:document-content>`,
		...others
	});

	test('[P3] has no text that was deleted, and no more blanks than a line has', async () => {
		const xml = '<text:tracked-changes><text:p>gone</text:p></text:tracked-changes>\n  <text:p>A\n  <text:s text:c="1000000000"/>b</text:p>';
		expect(await textOf(odt(xml))).toBe(`A ${' '.repeat(100)}b\n`);
	});

	test('[P3] with a password is refused as such', async () => {
		const manifest = '<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>';
		await expect(read(zip(odt('<text:p>x</text:p>', { 'META-INF/manifest.xml': manifest })))).rejects.toEqual(new Refused('encrypted'));
	});
});

describe('an EPUB book', () => {
	const epub = (chapter: string, others: Record<string, string> = {}) => ({
		mimetype: 'application/epub+zip',
		'META-INF/container.xml': '<container><rootfiles><rootfile full-path="a b/book.opf"/></rootfiles></container>',
		'a b/book.opf': '<package><manifest><item id="two" href="../two.html"/><item id="one" href="One%20two.xhtml#start"/></manifest><spine><itemref idref="one"/><itemref idref="two"/></spine></package>',
		'a b/One two.xhtml': chapter,
		'two.html': '<p>Second</p>',
		...others
	});

	test('[P3] has the text of its chapters in their order, also of one that is not well-formed, without scripts and styles', async () => {
		const chapter = '<html><head><title>No</title><script src="x.js"/><style>p {}</style></head><body><p>A&nbsp;b &amp; c<br>d<p>e</p>\n\n <div>\n <div> f</div></div><script>no()</script></body></html>';
		expect(await textOf(epub(chapter))).toBe('[Chapter 1]\nA\u00a0b & c\nd\ne\nf\n\n[Chapter 2]\nSecond\n');
	});

	test('[P3] whose chapters only a reader with a key can open is refused as such; one with fonts like that is not', async () => {
		const locked = (path: string) => ({ 'META-INF/encryption.xml': `<encryption><EncryptedData><CipherData><CipherReference URI="${path}"/></CipherData></EncryptedData></encryption>` });
		await expect(async () => read(zip(epub('<p>x</p>', locked('a%20b/One%20two.xhtml'))))).rejects.toEqual(new Refused('encrypted'));
		expect(await textOf(epub('<p>x</p>', locked('fonts/a.otf')))).toContain('x');
	});
});

describe('an archive', () => {
	const limits = { file: 1_000_000, all: 2_500_000, names: 100, looks: 1000 };
	const packed = (files: Record<string, Uint8Array>) => zipSync(files) as Uint8Array<ArrayBuffer>;

	test('[P3] that unpacks to too much, by what it says or by what it does, is refused or cut off', () => {
		const one = packed({ 'a.xml': new Uint8Array(limits.file + 1) });
		expect(one.length).toBeLessThan(10_000);
		expect(() => new Archive(one, limits).text('a.xml')).toThrow(new Refused('too-large'));
		const names = ['1', '2', '3'];
		const archive = new Archive(packed(Object.fromEntries(names.map((name) => [name, new Uint8Array(limits.file)]))), limits);
		expect(() => names.map((name) => archive.text(name))).toThrow(new Refused('too-large'));
		// The size in the directory at the end, which is all that is known before.
		const directory = new DataView(one.buffer, one.length - 22).getUint32(16, true);
		new DataView(one.buffer).setUint32(directory + 24, 1000, true);
		let text = '';
		try {
			text = new Archive(one, limits).text('a.xml');
		} catch (error) {
			expect(error).toEqual(new Refused('damaged'));
		}
		expect(text.length).toBeLessThanOrEqual(1000);
	});

	test('[P3] that is none, or has too many files, is refused', () => {
		expect(() => new Archive(new Uint8Array([0x50, 0x4b, 3, 4]))).toThrow(new Refused('damaged'));
		const many = Object.fromEntries(Array.from({ length: limits.names + 1 }, (_, index) => [String(index), new Uint8Array()]));
		expect(() => new Archive(packed(many), limits)).toThrow(new Refused('too-large'));
		// Each file that is read looks at all names.
		const names = Object.keys(many).slice(1);
		const archive = new Archive(packed(Object.fromEntries(names.map((name) => [name, new Uint8Array()]))), limits);
		for (const name of names.slice(0, 10)) archive.text(name);
		expect(() => archive.text(names[10]!)).toThrow(new Refused('too-large'));
	});

	test('[P3] in which nothing is known is no document', () => {
		const archive = zip({ 'notes.txt': 'Hi' });
		expect(archiveFormats.some((format) => format.recognises(archive))).toBe(false);
		expect(archive.text('elsewhere.txt')).toBe('');
	});

	test('[P3] is never left by a reference', () => {
		expect(pathFrom('a/b.xml', '../../../../etc/passwd')).toBe('etc/passwd');
		expect(pathFrom('a/b.xml', '..\\c%zz.xml')).toBe('c%zz.xml');
		expect(pathFrom('a b/c.opf', 'd%20e.xhtml#f')).toBe('a b/d e.xhtml');
		expect(pathFrom('a/b.xml', 'https://example.com/c.xml')).toBe('c.xml');
		for (const none of ['http://[', '//[', 'https://example.com:99999/c.xml']) expect(pathFrom('a/b.xml', none)).toBe('');
	});

	test('[P3] may have XML in UTF-16, nested beyond all measure, and with entities that stand for one another', async () => {
		const word = (xml: Uint8Array) => read(new Archive(zipSync({ 'word/document.xml': xml }) as Uint8Array<ArrayBuffer>));
		const utf16 = Buffer.from('\ufeff<w:p><w:t>größer</w:t></w:p>', 'utf16le');
		expect((await word(utf16)).text).toBe('größer\n');
		await expect(async () => word(strToU8('<w:a>'.repeat(300_000)))).rejects.toEqual(new Refused('damaged'));
		const laughs = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]><w:p><w:t>&b;&f; &lt;b&gt;</w:t></w:p>';
		expect((await word(strToU8(laughs))).text).toBe('&b;&f; <b>\n');
	});
});
