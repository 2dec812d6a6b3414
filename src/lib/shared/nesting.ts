/** Tells whether objects and lists are nested more than `levels` deep in plain data. Looks no deeper than that. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some((inner) => isNestedDeeper(inner, levels - 1));
}
