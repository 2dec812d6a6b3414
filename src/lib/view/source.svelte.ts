import { app } from '../app';
import type { DefaultWeights } from '../engine/local/default-weights';
import type { PartialDownload } from '../engine/local/model-files';
import type { OnDeviceState } from '../engine/local/on-device';
import { resolveAnswerSource, type AnswerSource } from '../engine/providers/answer-source';
import { formatBytes } from '../shared/bytes';
import { Live } from './live.svelte';

/** The section that the dialog opens with, or false while it is closed. */
type Choosing = false | 'all' | 'on-device' | 'server';

const rows = new Live(async () => {
	const [chosen, models, providers] = await Promise.all([app.settings.get('source'), app.models.list(), app.providers.list()]);
	return { chosen, models, providers };
});

let choosing = $state<Choosing>(false);
let weights = $state.raw<{ found: DefaultWeights | undefined } | undefined>();
let device = $state.raw<OnDeviceState>(app.deviceState.current);

app.deviceState.subscribe(() => (device = app.deviceState.current));

/** The host is asked for weights only where they may be wanted: nothing else answers, or the dialog is open. */
$effect.root(() => {
	$effect(() => {
		const found = rows.current;
		if (!found) return;
		const answers = resolveAnswerSource(found.chosen, found.models, found.providers, undefined) !== undefined;
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
		return found && resolveAnswerSource(found.chosen, found.models, found.providers, weights?.found);
	},
	/** Says whether it is known that there is none. */
	get absent(): boolean {
		return rows.current !== undefined && weights !== undefined && this.current === undefined;
	},
	get models() {
		return rows.current?.models ?? [];
	},
	get providers() {
		return rows.current?.providers ?? [];
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
	},
	/** Downloads that stopped before their end. */
	async partials(): Promise<PartialDownload[]> {
		return (await app.openOnDevice()).partials();
	},
	/** Estimates how much more fits into this browser, in bytes. */
	async space(): Promise<number> {
		const { usage = 0, quota = 0 } = await navigator.storage.estimate();
		return quota - usage;
	}
};
