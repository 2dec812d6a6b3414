import { characterStart } from '../../shared/shorten';

/** The longest text of a row, in characters: names are cut there, anything else is refused. */
export const maxNameLength = 1000;
/** Four times the longest that is typed, and eight times the longest answer: nothing that works with a whole message takes a second. */
export const maxTextLength = 8_000_000;
export const maxTypedLength = 2_000_000;
/**
 * The longest that a tool was called with: a text, or a value as JSON. Of a server 1 MiB is read, which may be several times as long when
 * it is written again, since `1e20` has 21 figures then.
 */
export const maxToolInput = 8 * 2 ** 20;
/** The longest that a tool gave, as a text or as JSON: as long as a text of a message. */
export const maxToolOutput = maxTextLength;
/** A user who takes a setting has to see all of it. */
export const maxSettingLength = 200_000;
/** Number of parts that a message has, ids a list, and labels and branches a session, at most. */
export const maxParts = 10_000;
export const maxIds = 100_000;
export const maxLabels = 10_000;
export const maxRows = 10_000;
/** The longest name of what made a session, such as `web`: the lists offer each for choice. */
export const maxSurface = 100;
/** Each is drawn among the messages. */
export const maxCompactions = 500;
/** Number of files that a session has touched, and the length of their names, at most. */
export const maxFiles = 1000;
export const maxFilesLength = 100_000;
export const maxBranches = 2000;
export const tooManyBranches = `It has more than ${maxBranches.toLocaleString()} branches.`;
/** In bytes. */
export const maxFileSize = 64_000_000;

/** Of the years 1 to 9999: what has a date that can be written in the usual way. */
export function isTime(at: number): boolean {
	return at >= -62_135_596_800_000 && at <= 253_402_300_799_999;
}

export function isName(text: string): boolean {
	return text.length <= maxNameLength;
}

export function cut(text: string, max = maxNameLength): string {
	return text.slice(0, characterStart(text, max));
}

export function isHash(text: string): boolean {
	return /^[0-9a-f]{64}$/.test(text);
}

/* The reasons for which rows do not come in, as sentences. */

export const strangeId = 'It has an id that Snug does not make.';
export const strangeTime = 'It has an impossible time.';
export const tooMuch = 'It is too long.';
export const tooMany = 'There are too many of them.';
export const strangeNumber = 'It has an impossible number.';
export const strangePart = 'A part of it is not valid.';
export const unfit = 'It is too long for its field.';
export const strangeFields = 'Its fields are not the right ones.';
