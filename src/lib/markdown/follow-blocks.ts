/** Calls `onchange` whenever blocks of a message are drawn or go, in its element or in one of the runs that are there. Returns what ends that. */
export function followBlocks(root: HTMLElement, onchange: () => void): () => void {
	const changes = new MutationObserver(() => {
		follow();
		onchange();
	});
	const follow = () => {
		for (const element of [root, ...root.children]) changes.observe(element, { childList: true });
	};
	follow();
	return () => changes.disconnect();
}
