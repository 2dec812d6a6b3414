/** The chats that are being dragged, to a workspace. */
export const dragged = $state<{ ids: string[] }>({ ids: [] });

/** Begins to drag chats. What takes them shows a moment later: a page that changes at once ends the dragging. */
export function drag(ids: string[]): void {
	setTimeout(() => (dragged.ids = ids));
	// A row that is gone by then tells no end.
	for (const end of ['dragend', 'pointerdown']) addEventListener(end, () => setTimeout(() => (dragged.ids = [])), { once: true, capture: true });
}
