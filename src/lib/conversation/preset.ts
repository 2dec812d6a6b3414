/** The most characters of a preset's name. */
export const maxPresetName = 60;

/** Name that stands for none, wherever a preset is chosen. */
export const noPreset = 'None';

/** Tells whether a name would be read as that for none, also in letters of another width. */
export function isNoPreset(name: string): boolean {
	return name.normalize('NFKC').toLowerCase() === noPreset.toLowerCase();
}
