/** Returns the name of a model by that of its file: `Qwen2.5-0.5B-Instruct-Q4_K_M` is “Qwen2.5 0.5B Instruct · Q4_K_M”. What does not end in a quantization stays. */
export function modelName(fileName: string): string {
	const [, model, quantization] = /^(.+?)[-._]((?:UD-)?I?Q\d\w*|(?:B?F|MXFP)\d+)$/i.exec(fileName) ?? [];
	const words = model?.replace(/[-_\s]+/g, ' ').trim();
	return words && quantization ? `${words} · ${quantization.toUpperCase()}` : fileName;
}
