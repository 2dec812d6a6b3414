import { app } from '../app';
import { conversations } from '../app/conversations';
import { contextLimits, windowLimits } from '../conversation/context-limits';
import { resolveContextSettings, type ContextOverrides, type ContextSettings } from '../conversation/context-settings';
import type { ModelProfile } from '../engine/turns/model-profile';
import { Live } from './live.svelte';
import { reportFailure } from './notices.svelte';
import { source } from './source.svelte';

/** For what settings hold, the narrowest first. */
export type ScopeName = 'session' | 'persona' | 'everywhere';

/** A setting that is a number, or the window of a model. */
export type NumberField = keyof typeof contextLimits | 'window';

/** Settings of each scope, and the persona that the middle one is of. */
interface Scopes extends Record<ScopeName, ContextOverrides> {
	personaName: string | undefined;
}

/** The settings of what the model sees, scope by scope: for all conversations, and for one and its persona. */
export class ContextScopes {
	private readonly live: Live<Scopes | undefined>;
	private writing: Promise<void> = Promise.resolve();

	private readonly sessionId: string | undefined;
	private readonly ofPersona: string | undefined;

	/** Without a session, or a persona alone, there is only the widest scope. */
	constructor(of?: string | { persona: string }) {
		this.sessionId = typeof of === 'string' ? of : undefined;
		this.ofPersona = typeof of === 'string' ? undefined : of?.persona;
		this.live = new Live(() => this.read());
	}

	/** The scopes that there are here, the narrowest first; undefined while loading. */
	get names(): ScopeName[] | undefined {
		const scopes = this.live.current;
		if (!scopes) return undefined;
		if (this.ofPersona !== undefined) return ['persona', 'everywhere'];
		if (this.sessionId === undefined) return ['everywhere'];
		return scopes.personaName === undefined ? ['session', 'everywhere'] : ['session', 'persona', 'everywhere'];
	}

	get personaName(): string | undefined {
		return this.live.current?.personaName;
	}

	/** Returns the settings that this scope decides itself. */
	own(scope: ScopeName): ContextOverrides {
		return this.live.current?.[scope] ?? {};
	}

	/** Returns the settings that hold where this scope decides nothing. */
	wider(scope: ScopeName): ContextSettings {
		if (scope === 'everywhere') return resolveContextSettings();
		return resolveContextSettings(this.own('everywhere'), scope === 'session' ? this.own('persona') : undefined);
	}

	/** Decides one field; undefined leaves it to the wider scope. */
	decide<F extends keyof ContextSettings>(scope: ScopeName, field: F, value: ContextSettings[F] | undefined): Promise<void> {
		return this.change(scope, ({ [field]: _, ...others }) => (value === undefined ? others : { ...others, [field]: value }));
	}

	/** Says how large the window of a model is, in tokens; undefined leaves it as it is known. */
	decideWindow(scope: ScopeName, model: string, tokens: number | undefined): Promise<void> {
		return this.change(scope, ({ contextWindows: { [model]: _, ...others } = {}, ...rest }) => {
			const contextWindows = tokens === undefined ? others : { ...others, [model]: tokens };
			return Object.keys(contextWindows).length === 0 ? rest : { ...rest, contextWindows };
		});
	}

	/** Puts this in the place of all that the scope decides; nothing leaves all to the wider one. */
	replace(scope: ScopeName, overrides: ContextOverrides = {}): Promise<void> {
		return this.change(scope, () => overrides);
	}

	/** One after the other, each from what is stored: what the screen shows may be a moment old. */
	private change(scope: ScopeName, edit: (own: ContextOverrides) => ContextOverrides): Promise<void> {
		return (this.writing = this.writing.then(() =>
			reportFailure(async () => {
				const scopes = await this.read();
				if (scopes) await this.write(scope, scopes, edit(scopes[scope]));
			})
		));
	}

	private async read(): Promise<Scopes | undefined> {
		if (this.sessionId === undefined) {
			const [everywhere = {}, byPersona = {}] = await Promise.all([app.settings.get('context'), app.settings.get('contextByPersona')]);
			const personaName = this.ofPersona;
			return { everywhere, persona: (personaName === undefined ? undefined : byPersona[personaName]) ?? {}, session: {}, personaName };
		}
		const rows = await conversations.context.rows(this.sessionId);
		return rows && { ...rows.scopes, personaName: rows.session.persona };
	}

	private async write(scope: ScopeName, { personaName }: Scopes, overrides: ContextOverrides): Promise<void> {
		if (scope === 'session' && this.sessionId !== undefined) await conversations.context.setSession(this.sessionId, overrides);
		else if (scope === 'persona' && personaName !== undefined) await conversations.context.setPersona(personaName, overrides);
		else await conversations.context.setEverywhere(overrides);
	}
}

let known = $state.raw<ModelProfile | undefined>();

$effect.root(() => {
	$effect(() => {
		const { current } = source;
		// Once a model is in memory, its window is that of the engine.
		void source.device.phase;
		let isLatest = true;
		const profile = current && conversations.context.profile(current);
		void Promise.resolve(profile).then((found) => isLatest && (known = found));
		return () => (isLatest = false);
	});
});

/** Returns the model that answers next, as far as it is known without what the user says of it; undefined while that is not known. */
export function modelAsKnown(): ModelProfile | undefined {
	return known;
}

/** In which unit people write a number, by how much of what is stored one of it is. */
const units: Partial<Record<NumberField, number>> = { compactAtShare: 0.01, cheapBytes: 1024 };

function unitOf(field: NumberField): number {
	return units[field] ?? 1;
}

/** The smallest and the largest number that a field takes, as people write it. */
export function limitsOf(field: NumberField): { min: number; max: number } {
	const { min, max } = field === 'window' ? windowLimits : contextLimits[field];
	return { min: Math.ceil(shownNumber(field, min)), max: Math.floor(shownNumber(field, max)) };
}

/** A stored number as people write it. */
export function shownNumber(field: NumberField, value: number): number {
	return Math.round((value / unitOf(field)) * 100) / 100;
}

/** Parses what was typed in a field, undefined for nothing; or says why it can't be, as a sentence. */
export function readNumber(field: NumberField, typed: string): { value: number | undefined } | { problem: string } {
	const text = typed.trim();
	if (text === '') return { value: undefined };
	const { min, max } = limitsOf(field);
	const number = /^\d+$/.test(text) ? Number(text) : NaN;
	if (!(number >= min && number <= max)) return { problem: `Write a whole number from ${min.toLocaleString()} to ${max.toLocaleString()}.` };
	const unit = unitOf(field);
	return { value: unit < 1 ? number / Math.round(1 / unit) : number * unit };
}
