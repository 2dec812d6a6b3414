import type { Columns } from './source';

/** Values of one document in the columns. */
export interface ColumnsRow {
	sessionId: string;
	/** Code of the role, as in `Columns.role`. */
	role: number;
	model: string;
	depth: number;
	createdAt: number;
	words: number;
}

/** Columns that documents are added to. Their arrays are replaced by longer ones as they grow. */
export class GrowingColumns implements Columns {
	length = 0;
	session = new Uint32Array(64);
	readonly sessionIds: string[] = [];
	role = new Uint8Array(64);
	model = new Uint16Array(64);
	readonly models = [''];
	depth = new Uint32Array(64);
	createdAt = new Float64Array(64);
	words = new Uint32Array(64);
	private readonly sessions = new Map<string, number>();
	private readonly modelCodes = new Map([['', 0]]);

	/** Returns the number of the document. */
	add({ sessionId, role, model, depth, createdAt, words }: ColumnsRow): number {
		const document = this.length++;
		if (document === this.session.length) this.grow();
		this.session[document] = codeOf(sessionId, this.sessions, this.sessionIds);
		this.role[document] = role;
		this.model[document] = codeOf(model, this.modelCodes, this.models);
		this.depth[document] = depth;
		this.createdAt[document] = createdAt;
		this.words[document] = words;
		return document;
	}

	/** Copies the columns to arrays that are no longer than they have to be. */
	copy(): Columns {
		const { length, sessionIds, models } = this;
		return {
			length,
			session: this.session.slice(0, length),
			sessionIds: [...sessionIds],
			role: this.role.slice(0, length),
			model: this.model.slice(0, length),
			models: [...models],
			depth: this.depth.slice(0, length),
			createdAt: this.createdAt.slice(0, length),
			words: this.words.slice(0, length)
		};
	}

	private grow(): void {
		const capacity = this.session.length * 2;
		this.session = grown(new Uint32Array(capacity), this.session);
		this.role = grown(new Uint8Array(capacity), this.role);
		this.model = grown(new Uint16Array(capacity), this.model);
		this.depth = grown(new Uint32Array(capacity), this.depth);
		this.createdAt = grown(new Float64Array(capacity), this.createdAt);
		this.words = grown(new Uint32Array(capacity), this.words);
	}
}

/** A row of columns. */
export function rowOf({ session, sessionIds, role, model, models, depth, createdAt, words }: Columns, document: number): ColumnsRow {
	return {
		sessionId: sessionIds[session[document]!]!,
		role: role[document]!,
		model: models[model[document]!]!,
		depth: depth[document]!,
		createdAt: createdAt[document]!,
		words: words[document]!
	};
}

/** The documents of a session. */
export function documentsOf({ length, session, sessionIds }: Columns, sessionId: string): number[] {
	const code = sessionIds.indexOf(sessionId);
	const documents: number[] = [];
	if (code < 0) return documents;
	for (let document = 0; document < length; document++) if (session[document] === code) documents.push(document);
	return documents;
}

function codeOf(name: string, codes: Map<string, number>, names: string[]): number {
	let code = codes.get(name);
	if (code === undefined) {
		code = names.push(name) - 1;
		codes.set(name, code);
	}
	return code;
}

/** `longer` with what is in the other. */
function grown<A extends { set(from: A): void }>(longer: A, from: A): A {
	longer.set(from);
	return longer;
}
