// Not known when the app is built: hosts answer it with the shell.
export const prerender = false;
