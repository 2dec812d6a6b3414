/** Returns what to set at a server, so that it takes requests from a page of `origin`: as it is typed, or the header to send where only that is known. */
export function corsSetting({ port }: Pick<URL, 'port'>, origin: string): string {
	if (port === '11434') return `OLLAMA_ORIGINS=${origin}`;
	if (port === '1234') return 'lms server start --cors';
	return `Access-Control-Allow-Origin: ${origin}`;
}
