// Makes each icon of Lucide a fixed SVG: as published, one is a list of shapes that a general component turns into elements
// while the page draws, with code of Svelte's that nothing else on the first screen needs.

const data = /\bconst iconData = (\{.*\});\n<\/script>/;

/** @typedef {[tag: string, attributes: Record<string, string>]} Shape */

/**
 * Returns the source of an icon as a fixed SVG; undefined if it is not written as the icons of the known version are. It takes a size, a
 * fill and a label, without which it is hidden from screen readers.
 * @param {string} source
 * @returns {string | undefined}
 */
export function plainIcon(source) {
	const found = data.exec(source)?.[1];
	if (!found || !source.trimEnd().endsWith('<Icon {...props} icon={iconData} />')) return undefined;
	const { size, node } = /** @type {{ size: number, node: Shape[] }} */ (JSON.parse(found));
	const shapes = node.map(([tag, attributes, ...rest]) => rest.length === 0 && `<${tag}${Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`).join('')} />`);
	if (shapes.includes(false)) return undefined;
	return `<script>
	let { size = ${size}, fill = 'none', 'aria-label': label } = $props();
</script>

<svg class="lucide" width={size} height={size} viewBox="0 0 ${size} ${size}" {fill} stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-label={label} aria-hidden={label === undefined ? 'true' : undefined}>${shapes.join('')}</svg>
`;
}

/**
 * Vite plugin: icons are fixed SVGs, wherever they are imported.
 * @returns {import('vite').Plugin}
 */
export function plainIcons() {
	return {
		name: 'snug:plain-icons',
		enforce: 'pre',
		// What the development server bundles beforehand passes no plugin.
		config: () => ({ optimizeDeps: { exclude: ['@lucide/svelte'] } }),
		transform: {
			filter: { id: /\/@lucide\/svelte\/dist\/icons\/[^/?]+\.svelte$/ },
			handler(code) {
				return plainIcon(code) ?? this.error('Lucide writes its icons in another way by now');
			}
		}
	};
}
