// What the service worker answers every navigation with. A folder with an index is found by every static host.
export const trailingSlash = 'always';
