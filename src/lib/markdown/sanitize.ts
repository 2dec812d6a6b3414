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

/** The elements of highlighted code: a colour, the name of what can't be seen, or a place to break. */
const codeTags = /<span (?:style="color:[\w#().-]*"|class="unseen" title="U\+[\dA-F]+(?: \+\d+)?")>|<\/span>|<wbr>/g;

/** Returns highlighted code if it is text in such spans and nothing else; throws otherwise. */
function checkCode(html: string): string {
	if (/[<>]/.test(html.replace(codeTags, ''))) throw new TypeError('highlighted code is more than coloured text');
	return html;
}

/** The part of the Trusted Types API that is used; TypeScript's library has none of it yet. */
interface TrustedTypes {
	createPolicy(name: string, rules: { createHTML: (html: string, kind: 'markdown' | 'code') => string }): {
		createHTML: (html: string, kind: 'markdown' | 'code') => string;
	};
}

const rules = { createHTML: (html: string, kind: 'markdown' | 'code') => (kind === 'code' ? checkCode(html) : sanitize(html)) };
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('snug', rules) ?? rules;

/** Returns what may be drawn of Markdown's HTML: the page's policy takes it from here only. */
export const drawable = (html: string): string => policy.createHTML(html, 'markdown');

/** Returns what may be drawn of highlighted code. */
export const drawableCode = (html: string): string => policy.createHTML(html, 'code');

const tags = [
	...['h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'wbr', 'hr', 'blockquote', 'ul', 'ol', 'li', 'a', 'em', 'strong', 's', 'code', 'pre'],
	...['div', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'figure', 'figcaption', 'span', 'button', 'details', 'summary', '#text']
];

const attributes = [
	...['href', 'target', 'rel', 'referrerpolicy', 'title', 'class', 'dir', 'start', 'data-lang', 'data-note', 'open', 'type', 'tabindex', 'role'],
	...['aria-label', 'aria-live', 'aria-pressed']
];
