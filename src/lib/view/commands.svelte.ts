import { goto } from '$app/navigation';
import { resolve } from '$app/paths';
import type { Outcome, Place } from '../commands/command';
import type { Completions } from '../commands/complete';
import type { AppError } from '../shared/app-error';
import { failureOf } from './attempt';
import type { ComposerText } from './composer.svelte';
import { notify, offerBack } from './notices.svelte';
import { panel } from './panel.svelte';
import { announcement } from './turns.svelte';

/** An outcome that is read in the panel; the others leave nothing behind. */
export type Shown = Exclude<Outcome, { kind: 'go' | 'done' | 'open' | 'compact' | 'compose' }>;

type Done = Extract<Outcome, { kind: 'done' }>;

let shown = $state.raw<{ command: string; composer: ComposerText | undefined } & ({ outcome: Shown } | { failure: AppError }) | undefined>();

/** Output of the last command, with that command; nothing of it is stored. */
export const commandOutput = {
	get current() {
		return shown;
	},
	/** The composer above which it stands, if one is on the screen. */
	composer: undefined as ComposerText | undefined,
	close(): void {
		shown = undefined;
	}
};

/**
 * Runs a command and shows what comes of it. False where it was refused, or one of several is to be chosen for it: the text is then worth keeping. What it has for a message goes to `composer`.
 * Before anything comes of it, `taken` is called.
 */
export function runCommand(text: string, place: Place, composer?: ComposerText, taken?: () => void): Promise<boolean> {
	return show(
		text.trim(),
		composer,
		async () => {
			const { commandContext, run } = await import('./command-context');
			return run(text, commandContext(place));
		},
		taken
	);
}

/**
 * Runs the command in the first line of what is typed, which is kept until what comes of it is there. What stands below it stays, as a message that is not
 * sent yet. One that is refused returns: all is as it was, or it is in front of what was written since.
 */
export async function runTyped(composer: ComposerText, place: Place): Promise<void> {
	const typed = composer.text;
	const [command = '', ...lines] = typed.split('\n');
	// The first line of code keeps its indent.
	const below = lines.join('\n').trimEnd().replace(/^\s*\n/, '');
	let accepted = false;
	try {
		accepted = await composer.runOut(command, below, (taken) => runCommand(command, place, composer, taken));
	} finally {
		if (!accepted) {
			if (composer.text === below) composer.write(typed);
			else composer.putBack(command);
		}
	}
}

/** Goes on with a choice or a confirmation of the command that is shown. */
export async function proceed(next: () => Promise<Outcome>): Promise<void> {
	if (!shown) return;
	const { command, composer } = shown;
	const taken = 'outcome' in shown && isKept(shown.outcome) ? () => takeOut(command, composer) : undefined;
	await show(command, composer, next, taken);
}

/** Takes a command out that stayed in the composer, unless it was changed there. */
function takeOut(command: string, composer: ComposerText | undefined): void {
	const below = composer?.text.startsWith(command) ? composer.text.slice(command.length) : undefined;
	if (below !== undefined && /^[ \t]*(\n|$)/.test(below)) composer!.write(below.trimStart());
}

/** Tells whether a command stays in the composer. */
function isKept(outcome: Outcome): boolean {
	return outcome.kind === 'refused' || (outcome.kind === 'choose' && outcome.stays === true);
}

/** Lists what the composer's text can become, by the commands of these names; nothing where the store refuses: running the text says why. */
export async function completionsOf(text: string, place: Place, names: readonly string[]): Promise<Completions> {
	try {
		const { commandContext, complete } = await import('./command-context');
		return await complete(text, commandContext(place), ({ name }) => names.includes(name));
	} catch (error) {
		failureOf(error);
		return { of: 'name', items: [] };
	}
}

async function show(command: string, composer: ComposerText | undefined, work: () => Promise<Outcome>, taken?: () => void): Promise<boolean> {
	const asked = { text: composer?.text, history: composer?.history };
	let outcome: Outcome;
	try {
		outcome = await work();
		// What is typed while this loads counts too.
		if (outcome.kind === 'compose') await import('./put-in');
	} catch (error) {
		shown = { command, composer, failure: failureOf(error) };
		return false;
	}
	// What was sent since is in its history.
	const isAsAsked = composer?.text === asked.text && composer?.history === asked.history;
	shown = undefined;
	if (!isKept(outcome)) taken?.();
	switch (outcome.kind) {
		case 'go':
			await goTo(outcome.path);
			return true;
		case 'done':
			if (outcome.text !== undefined) tell(outcome.text, outcome);
			if (outcome.path !== undefined) await goTo(outcome.path);
			return true;
		case 'open':
			panel.open = outcome.what;
			return true;
		case 'compose':
			(await import('./put-in')).putIn(outcome, isAsAsked ? () => composer : () => commandOutput.composer ?? composer, isAsAsked);
			return true;
		case 'compact':
			(await import('./compaction.svelte')).compaction.open(outcome);
			return true;
		default:
			shown = { command, composer, outcome };
			announcement.text = spoken(outcome);
			return !isKept(outcome);
	}
}

/** As a notice, with its undoing where there is one. */
function tell(text: string, { undo, about }: Pick<Done, 'undo' | 'about'>): void {
	const of = about === undefined ? {} : { about };
	if (undo) offerBack(text, undo, of);
	else notify({ text, milliseconds: 5000, ...of });
}

function goTo(path: string): Promise<void> {
	return goto(resolve(path as '/'), { keepFocus: true });
}

/** Returns what a screen reader says of an outcome; the rest is in the panel, to be read at leisure. */
function spoken(outcome: Shown): string {
	const listed = 'listing' in outcome && outcome.listing ? [`Command output, ${outcome.listing.split('\n').length} lines.`] : [];
	const choices = outcome.kind === 'choose' ? [`${outcome.choices.length} choices, in the command output.`] : [];
	return [...(outcome.text ? [outcome.text] : []), ...listed, ...choices].join(' ');
}
