const withQuantization = /^(.+?)[-._]((?:UD-)?[IT]?Q\d\w*|(?:B?F|MXFP)\d+)$/i;

/** Returns the name of a model by that of its file: `Qwen2.5-0.5B-Instruct-Q4_K_M` is “Qwen2.5 0.5B Instruct · Q4_K_M”. What does not end in a quantization stays. */
export function modelName(fileName: string): string {
	const words = withQuantization.exec(fileName)?.[1]?.replace(/[-_\s]+/g, ' ').trim();
	const quantization = quantizationOf(fileName);
	return words && quantization ? `${words} · ${quantization}` : fileName;
}

/** Returns the quantization that the name of a file ends in, such as `Q4_K_M`. */
export function quantizationOf(fileName: string): string | undefined {
	return withQuantization.exec(fileName)?.[2]?.toUpperCase();
}
