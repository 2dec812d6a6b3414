/** Returns a server's name with its host beside it, so that no name stands for a place that it is not. */
export function serverLabel({ name, baseUrl }: { name: string; baseUrl: string }): string {
	const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
	return name === host ? host : `${name} (${host})`;
}
