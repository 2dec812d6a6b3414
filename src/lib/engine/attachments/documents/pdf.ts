// In the worker that reads, so that the library starts none of its own.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import { getDocument, PasswordException, VerbosityLevel, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { TextContent } from 'pdfjs-dist/types/src/display/api';
import { attachmentLimits } from '../../../conversation/attachment-limits';
import { Refused, type DocumentPart, type OpenDocument } from './document';

/** Opens a PDF. Nothing of it is drawn or run, and nothing is fetched for it. */
export async function openPdf(data: Uint8Array<ArrayBuffer>): Promise<OpenDocument> {
	const pdf = await load(data);
	return { mediaType: 'application/pdf', unit: 'page', count: pdf.numPages, parts: pagesOf(pdf) };
}

async function load(data: Uint8Array<ArrayBuffer>): Promise<PDFDocumentProxy> {
	try {
		return await getDocument({
			data,
			verbosity: VerbosityLevel.ERRORS,
			disableFontFace: true,
			useSystemFonts: false,
			useWasm: false,
			useWorkerFetch: false,
			isOffscreenCanvasSupported: false,
			isImageDecoderSupported: false,
			enableXfa: false,
			BinaryDataFactory: NothingFetched
		}).promise;
	} catch (error) {
		throw new Refused(error instanceof PasswordException ? 'encrypted' : 'damaged');
	}
}

async function* pagesOf(pdf: PDFDocumentProxy): AsyncGenerator<DocumentPart> {
	for (let number = 1; number <= pdf.numPages; number++) {
		yield { title: `Page ${number}`, text: await textOf(pdf, number) };
	}
}

/** As far as a page can be read, and as long as all of a document may be. The others may be whole where one is broken. */
async function textOf(pdf: PDFDocumentProxy, number: number): Promise<string> {
	let text = '';
	try {
		const page = await pdf.getPage(number);
		const reader = page.streamTextContent().getReader() as ReadableStreamDefaultReader<TextContent>;
		for (let { value } = await reader.read(); value; { value } = await reader.read()) {
			for (const item of value.items) if ('str' in item) text += item.str + (item.hasEOL ? '\n' : '');
			if (text.length > attachmentLimits.textBytes) break;
		}
		page.cleanup();
	} catch {
		// What was read of it counts.
	}
	return text;
}

/** Refuses what the library would fetch beside a file. */
class NothingFetched {
	fetch(): Promise<never> {
		return Promise.reject(new Error('Nothing is fetched for a PDF.'));
	}
}
