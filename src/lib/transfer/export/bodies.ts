import fc from 'fast-check';

const start = fc.constantFrom(
	...['', '', '', '', ' ', '  ', '   ', '    ', '     ', '\t', '> ', '>', '>\t', '> > ', '- ', '-', '*\t', '  - ', '1. ', '2) ', '10. ', '-     ', '- - '],
	...['```', '````', '`````', '~~~', '~~~~', '```js', '  ```', '   ~~~', '> ```', '- ```', '1. ~~~', '``` `', '\t```', '>     ```'],
	...['---', '===', '***', '# ', '####### ', '#x', '## User', '## Assistant', '<!-- snug message ', '<!-- x -->', '<!---->']
);

const rest = fc.constantFrom(
	...['', '', 'a', 'b c', '`', '``', '```', '~~~', '-->', '?>', ']]>', '</script>', '</style>', '</pre>', '</details>', '"', "'", '>'],
	...['<!--', '<details>', '<summary>x</summary>', '<script>', '<pre', '<style>x', '<textarea>', '<![CDATA[', '<?php', '<!DOCTYPE', '<div title="'],
	...['<custom>', '<custom', '</custom>', '<b>', '<https://a.b>', '\\<div>', '`<div>`', '<iframe src=x>', '<br>', '<title>']
);

const line = fc.tuple(start, rest, rest).map((pieces) => pieces.join(''));
const end = fc.constantFrom('\n', '\n', '\n', '\n\n', '\n  \n', ' \n');

/** Texts that are mostly unfinished: every container and every block that may be left open, in any nesting. */
export const body = fc
	.array(fc.tuple(line, end), { maxLength: 9 })
	.map((lines) => lines.flat().join(''))
	.chain((text) => fc.constantFrom(text, text.trimEnd()));
