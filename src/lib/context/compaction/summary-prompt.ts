/** The sections of a summary that the model writes, in their order [S6]. */
export const sectionTitles = {
	files: 'Files modified',
	decisions: 'Key decisions',
	values: 'Important values',
	state: 'Current state',
	tasks: 'Pending tasks'
} as const;

export type SectionName = keyof typeof sectionTitles;

export const sectionNames = Object.keys(sectionTitles) as SectionName[];

/** A whole summary has fewer words [S6]. */
export const summaryWords = 600;

/**
 * Asks for the summary of one piece of a conversation, the first being 1. It is short, and asks after what is to be
 * read, because the smallest models have to follow it too.
 */
export function summaryPrompt(transcript: string, { piece, pieces }: { piece: number; pieces: number }): { system: string; user: string } {
	const words = Math.max(150, Math.floor(summaryWords / pieces));
	const part = pieces > 1 ? ` It is part ${piece} of ${pieces}.` : '';
	const instructions = [
		`Summarize the conversation above, so that the work can go on without it.${part} Write only these five sections,`,
		`as short bullets, under ${words} words in all:`
	].join(' ');
	const rules = [
		'Under Key decisions, also say what the user prefers. Copy paths, URLs, ids, numbers and error messages exactly as they are.',
		'Write "- None" where there is nothing. Do not invent anything.'
	].join(' ');
	const headings = sectionNames.map((name) => `## ${sectionTitles[name]}`).join('\n');
	return {
		system: 'You summarize conversations: short, exact, complete.',
		user: `<conversation>\n${contained(transcript)}\n</conversation>\n\n${instructions}\n\n${headings}\n\n${rules}`
	};
}

/** A conversation that quotes the end of one does not end there. */
function contained(transcript: string): string {
	return transcript.replace(/<(\/?conversation>)/gi, '< $1');
}
