let sessionId = $state<string | undefined>();

/** The dialog “Folder”, which is open for one chat. */
export const folderDialog = {
	get sessionId() {
		return sessionId;
	},
	open(of: string): void {
		sessionId = of;
	},
	close(): void {
		sessionId = undefined;
	}
};
