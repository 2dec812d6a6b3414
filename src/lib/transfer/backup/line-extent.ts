import { JsonCounter } from '../../shared/json-counter';
import { createPause } from '../../shared/pause';

/** Number of bytes of a line that are looked at before what else waits may have its turn. */
const bytesAtOnce = 1_000_000;

/**
 * The most that a line may have, so that it is parsed in good time: names of fields, and values, of which a list and an object count twice. An
 * answer of a server, of which 1 MiB is read, has less.
 */
const most = { names: 300_000, values: 3_000_000 };

/** Tells whether a line of JSON has more names or values in it than can be parsed in good time. */
export async function isCrowded(line: Uint8Array): Promise<boolean> {
	// A value takes two bytes at least, a name five.
	if (line.length <= 5 * most.names) return false;
	const pause = createPause();
	const counter = new JsonCounter();
	for (let at = 0; at < line.length; ) {
		for (const end = Math.min(at + bytesAtOnce, line.length); at < end; at++) counter.take(line[at]!);
		if (counter.names > most.names || counter.values > most.values) return true;
		await pause();
	}
	return false;
}
