/** The most characters of a preset's name. */
export const presetNameLength = 60;
