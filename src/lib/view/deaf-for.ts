/** Milliseconds in which who clicks or presses Enter means what was there before: what allows something can be pressed so long after it appears, moves or changes. */
export const deafFor = 400;
