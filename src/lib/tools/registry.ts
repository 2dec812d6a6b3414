import { isTemporary } from '../shared/is-temporary';
import { lazy } from '../shared/lazy';
import type { ToolPorts } from './ports';
import type { Tool, ToolEntry } from './tool';

/** Every tool that comes with Snug, loaded when it is first needed. To add one: a file beside this one, and an entry here. */
export const toolEntries = [
	{
		name: 'session_search',
		group: 'Chats',
		label: 'Search chats',
		readsChats: true,
		about: 'Finds messages, notes and labels in all your chats, archived ones too. Their names and the lines that match go to the model’s server.',
		load: () => import('./session-search')
	},
	{
		name: 'session_read',
		group: 'Chats',
		label: 'Read a chat',
		readsChats: true,
		about: 'Reads messages in any of your chats and sends them to the model’s server.',
		load: () => import('./session-read')
	},
	{
		name: 'notes_read',
		group: 'Notes',
		label: 'Read notes',
		about: 'Reads the notes and the to-do list of the chat.',
		load: () => import('./notes-read')
	},
	{
		name: 'notes_write',
		group: 'Notes',
		label: 'Write notes',
		about: 'Adds to a note or to the to-do list of the chat, or creates a note. Asks you first, unless you allow it.',
		load: () => import('./notes-write')
	},
	{
		name: 'notes_edit',
		group: 'Notes',
		label: 'Edit notes',
		about: 'Changes what a note or the to-do list of the chat says. Asks you first, unless you allow it.',
		load: () => import('./notes-edit')
	},
	{
		name: 'files_list',
		group: 'Files',
		label: 'List files',
		ofFolder: true,
		about: 'Lists the files of the folder that you opened in the chat.',
		load: () => import('./files-list')
	},
	{
		name: 'files_read',
		group: 'Files',
		label: 'Read files',
		ofFolder: true,
		about: 'Reads files of that folder and sends them to the model’s server.',
		load: () => import('./files-read')
	},
	{
		name: 'files_search',
		group: 'Files',
		label: 'Search files',
		ofFolder: true,
		about: 'Finds text in files of that folder. The lines that match go to the model’s server.',
		load: () => import('./files-search')
	},
	{
		name: 'files_write',
		group: 'Files',
		label: 'Write files',
		ofFolder: true,
		about: 'Creates a file in that folder, or replaces one. Asks you first, unless you allow it. You can undo it.',
		load: () => import('./files-write')
	},
	{
		name: 'files_edit',
		group: 'Files',
		label: 'Edit files',
		ofFolder: true,
		about: 'Changes a passage of a file in that folder. Asks you first, unless you allow it. You can undo it.',
		load: () => import('./files-edit')
	},
	{
		name: 'ask_user',
		group: 'General',
		label: 'Ask you',
		choice: 'Ask me questions',
		about: 'Asks you a question in the middle of its work, with answers to choose from.',
		load: () => import('./ask-user')
	},
	{
		name: 'run_javascript',
		group: 'Code and web',
		label: 'Run JavaScript',
		about: 'Runs code that the model writes, for calculations. It has no access to the network or your data.',
		load: () => import('./run-javascript')
	},
	{
		name: 'fetch_page',
		group: 'Code and web',
		label: 'Fetch a page',
		about: 'Reads a page of the web, where its host lets other sites do so. Asks you first, unless you allow the host.',
		load: () => import('./fetch-page')
	},
	{
		name: 'current_time',
		group: 'General',
		label: 'Date and time',
		about: 'Tells the model the date, the time and your time zone.',
		load: () => import('./current-time')
	},
	{
		name: 'read_result',
		group: 'General',
		label: 'Read a long result',
		ofResults: true,
		about: 'Reads parts of a result in the chat that was too long to be sent whole.',
		load: () => import('./read-result')
	}
] as const satisfies ToolEntry[];

const all: readonly ToolEntry[] = toolEntries;

/** The tools that users can choose, and those that come with results that are kept whole. */
export const choosableTools = all.filter(({ ofResults }) => !ofResults);
export const entriesOfResults = all.filter(({ ofResults }) => ofResults);

/** Returns the tools that users can choose on this page. */
export function entriesHere(): ToolEntry[] {
	return choosableTools.filter(({ readsChats, ofFolder }) => !isTemporary() || (!readsChats && !ofFolder));
}

/** The names of the tools that work on the folder of a chat. */
export const toolsOfFolder: readonly string[] = all.flatMap(({ name, ofFolder }) => (ofFolder ? [name] : []));

/** The tools of this page. */
export class ToolRegistry {
	private readonly tools: ReadonlyMap<string, () => Promise<Tool>>;

	constructor(ports: ToolPorts, entries: readonly ToolEntry[] = toolEntries) {
		this.tools = new Map(entries.map(({ name, load }) => [name, lazy(async () => (await load()).createTool(ports))]));
	}

	/** Loads the tools with these names, in the order of the registry; a name that this version does not know is left out. */
	load(names: readonly string[]): Promise<Tool[]> {
		return Promise.all([...this.tools].filter(([name]) => names.includes(name)).map(([, open]) => open()));
	}
}

/** Returns the name of a tool on screen; undefined for one that does not come with Snug. */
export function toolLabel(toolName: string): string | undefined {
	return toolEntries.find(({ name }) => name === toolName)?.label;
}
