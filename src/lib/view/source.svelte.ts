import { app } from '../app';
import type { DefaultWeights } from '../engine/local/default-weights';
import type { OnDeviceState } from '../engine/local/on-device';
import { resolveChatSource, type AnswerSource } from '../engine/providers/answer-source';
import type { ChatBeginning } from '../engine/turns/chat-beginning';
import { formatBytes } from '../shared/bytes';
import type { SessionSettingsRow } from '../storage/tables/session-settings';
import type { Source } from '../storage/tables/source';
import { Live } from './live.svelte';
import { keptBeginning, keptInTab } from './tab-text';

/** The section that the dialog opens with, `find` for the search for one, or `settings` for that of the model's settings; false while it is closed. */
type Choosing = false | 'all' | 'on-device' | 'find' | 'server' | 'settings' | 'tools';

/** Choices for a new chat, as the tab has kept them. */
let begun = $state.raw<ChatBeginning>(keptInTab(keptBeginning) ?? {});
/** The chat that is shown, and its choices: it may have a model of its own. */
let chatId = $state<string | undefined>();
let readOwn = (): Promise<SessionSettingsRow | undefined> => Promise.resolve(undefined);

const query = async () => {
	const [chosen, models, servers, own] = await Promise.all([app.settings.get('source'), app.models.list(), app.providers.list(), readOwn()]);
	return { chosen, models, servers, own: own?.source };
};
const rows = new Live(query);

let choosing = $state<Choosing>(false);
let weights = $state.raw<{ found: DefaultWeights | undefined } | undefined>();
let device = $state.raw<OnDeviceState>(app.deviceState.current);

app.deviceState.subscribe(() => (device = app.deviceState.current));

/** The host is asked for weights only where they may be wanted: nothing else answers, or the dialog is open. */
$effect.root(() => {
	$effect(() => {
		const found = rows.current;
		if (!found) return;
		const answers = resolveChatSource(found.own, { ...found, weights: undefined }) !== undefined;
		if (choosing || !answers) void app.defaultWeights().then((found) => (weights = { found }));
	});
});

/** The source of answers, and the progress of the model on this device. */
export const source = {
	get choosing(): Choosing {
		return choosing;
	},
	set choosing(value: Choosing) {
		choosing = value;
	},

	/** Undefined while it is not known yet, and where there is none. */
	get current(): AnswerSource | undefined {
		const found = rows.current;
		return found && resolveChatSource(chatId === undefined ? begun.source : found.own, { ...found, weights: weights?.found });
	},
	/** Choices for a new chat, which may have a model of its own; `beginning` changes them. */
	get begun(): ChatBeginning {
		return begun;
	},
	set begun(choices: ChatBeginning) {
		begun = choices;
	},
	/** The chat that is shown; undefined for a new one. */
	get chatId(): string | undefined {
		return chatId;
	},
	/** Describes the source of this chat from now on; of new chats if undefined. */
	async show(id: string | undefined): Promise<void> {
		if (id === chatId) return;
		chatId = id;
		// Loaded beforehand: a live query can't follow what is read after an import.
		const { sessionSettings } = id === undefined ? {} : await app.openConversations();
		if (chatId !== id) return;
		readOwn = async () => (id === undefined ? undefined : sessionSettings?.get(id));
		rows.ask(query);
	},
	/** Tells where the model of the chat was that is not here any more, where none takes its place. */
	get gone(): Source['kind'] | undefined {
		return this.absent ? rows.current?.own?.kind : undefined;
	},
	/** Says whether it is known that there is none. */
	get absent(): boolean {
		return rows.current !== undefined && weights !== undefined && this.current === undefined;
	},
	get models() {
		return rows.current?.models ?? [];
	},
	get providers() {
		return rows.current?.servers ?? [];
	},
	/** The weights that came with this copy of the app, if it has any that are not on this device yet. */
	get weights(): DefaultWeights | undefined {
		const offered = weights?.found;
		return offered && !this.models.some(({ url, sha256 }) => url === offered.url || sha256 === offered.sha256) ? offered : undefined;
	},
	get device(): OnDeviceState {
		return device;
	},
	/** The device's work, as a line of text. */
	get progress(): string | undefined {
		if (device.phase === 'loading') return `Loading ${device.name} into memory`;
		if (device.phase !== 'fetching' && device.phase !== 'importing') return undefined;
		const { phase, name, received, total } = device;
		return `${phase === 'fetching' ? 'Downloading' : 'Copying'} ${name}: ${formatBytes(received)}${total ? ` of ${formatBytes(total)}` : ''}`;
	}
};
