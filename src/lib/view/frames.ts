/** Number of frames for which is waited at most: a second. */
const maxFrames = 60;

/** Waits, frame by frame, until something is so; a second at most. Returns whether it is. */
export async function untilFrame(isSo: () => boolean): Promise<boolean> {
	for (let frame = 0; frame < maxFrames && !isSo(); frame++) await new Promise(requestAnimationFrame);
	return isSo();
}
