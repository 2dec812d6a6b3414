// One page, drawn in the browser: there is nothing to say before the user's own data is there.
export const ssr = false;
export const prerender = true;
