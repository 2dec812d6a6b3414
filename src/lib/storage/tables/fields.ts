import * as v from 'valibot';

export const text = v.string();
export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
export const amount = v.pipe(v.number(), v.finite());
/** A number of a form, from `min` to `max`. */
export const within = (number: v.GenericSchema<number>, { min, max }: { min: number; max: number }) => v.pipe(number, v.minValue(min), v.maxValue(max));
/** One that has a date; also before 1970, where a clock was wrong. Epoch milliseconds. */
export const time = v.pipe(v.number(), v.minValue(-8.64e15), v.maxValue(8.64e15));
/** One that can be a part of an address. That it is a UUID is asked of what comes from outside only. */
export const id = v.pipe(v.string(), v.regex(/^[^/\p{Cc}\p{Cs}]{1,200}$/u, 'an id'));

export const usage = v.object({
	inputTokens: v.exactOptional(amount),
	outputTokens: v.exactOptional(amount),
	cacheReadTokens: v.exactOptional(amount),
	cacheWriteTokens: v.exactOptional(amount),
	costUsd: v.exactOptional(amount)
});
