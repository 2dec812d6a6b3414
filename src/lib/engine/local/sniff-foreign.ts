/**
 * Names what a file that does not start as GGUF does seems to be, as a phrase for a sentence ("a web page"); undefined where
 * it does start so. Meant for what users really pick by mistake.
 */
export function sniffForeign(head: Uint8Array): string | undefined {
	const start = Array.from(head.subarray(0, 64), (byte) => String.fromCharCode(byte)).join('');
	if (start.startsWith('GGUF')) return undefined;
	if (start === '') return 'empty';
	if (/^\s*</.test(start)) return 'a web page';
	if (start.startsWith('version https://git-lfs')) return 'a pointer to a large file (Git LFS)';
	if (start.startsWith('PK\x03\x04')) return 'a ZIP archive or a PyTorch checkpoint';
	if (start.startsWith('\x80\x02')) return 'a PyTorch checkpoint';
	if (start.startsWith('\x1f\x8b')) return 'a compressed archive (gzip)';
	if (start[8] === '{') return 'a safetensors file';
	if (/^\s*[{[]/.test(start)) return 'a JSON file';
	if (/^(lmgg|fmgg|tjgg)/.test(start)) return 'in the old GGML format';
	return 'something else';
}
