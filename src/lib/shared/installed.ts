/** True in a window of the installed app, of which a tab of a browser is none. */
export const isInstalled = matchMedia('(display-mode: standalone), (display-mode: window-controls-overlay)').matches;
