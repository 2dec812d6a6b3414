/** The most characters of a preset's name. */
export const maxPresetName = 60;
