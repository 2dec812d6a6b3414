import DOMPurify from 'dompurify';

/**
 * The second line behind `render`, which already makes no HTML of its input: only the elements and attributes that it
 * writes itself come through, whatever a bug in the parser may let pass. Needs a DOM.
 */
export function sanitize(html: string): string {
	return DOMPurify.sanitize(html, {
		ALLOWED_TAGS: tags,
		ALLOWED_ATTR: attributes,
		ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:|tel:)/i,
		// DOMPurify would hold every other attribute's value against the rule for addresses.
		ADD_URI_SAFE_ATTR: attributes.filter((name) => name !== 'href'),
		ALLOW_DATA_ATTR: false,
		ALLOW_ARIA_ATTR: false
	});
}

const tags = [
	...['h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'ul', 'ol', 'li', 'a', 'em', 'strong', 's', 'code', 'pre'],
	...['div', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'figure', 'figcaption', 'span', 'button', '#text']
];

const attributes = [
	...['href', 'target', 'rel', 'referrerpolicy', 'title', 'class', 'start', 'data-lang', 'type', 'tabindex', 'role'],
	...['aria-label', 'aria-live']
];
