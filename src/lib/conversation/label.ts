/** The length of the longest label, in UTF-16 units. */
export const maxLabel = 80;

export const labelTooLong = `A label can have up to ${maxLabel} characters.`;
