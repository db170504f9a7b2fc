// A terminal's contents as an SVG that a page can embed: sharp at any size, selectable, readable in light and dark.

const CELL = { width: 8.4, height: 18 };
const PAD = 16;
const BAR = 28;
const INK = { heading: '#e3b341', bad: '#ff7b72', good: '#7ee787', dim: '#8b949e', plain: '#c9d1d9' };

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Wide characters (CJK, emoji) take two cells. */
const cells = (text) => {
  let count = 0;
  for (const sign of text)
    count +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/u.test(
        sign,
      )
        ? 2
        : 1;
  return count;
};

/**
 * `rows` is `{ text, ink }[]`, `title` is shown in the bar at the top, `says` is the text for screen readers. Each run of
 * characters between double spaces is placed at its own column, so that no font shifts a table.
 */
export function terminalSvg({ title, says, rows, columns }) {
  const width = Math.ceil(columns * CELL.width + 2 * PAD);
  const height = BAR + rows.length * CELL.height + PAD;
  const lines = rows.flatMap(({ text, ink = 'plain' }, nth) =>
    [...text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: run, index }) => {
      const x = (PAD + cells(text.slice(0, index)) * CELL.width).toFixed(1);
      const length = (cells(run) * CELL.width).toFixed(1);
      const y = BAR + (nth + 1) * CELL.height - 5;
      return `  <text x="${x}" y="${y}" fill="${INK[ink]}" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escaped(run)}</text>`;
    }),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(says)}">`,
    `  <rect width="${width}" height="${height}" rx="8" fill="#0d1117" stroke="#30363d"/>`,
    '  <g fill="#30363d"><circle cx="18" cy="15" r="5"/><circle cx="35" cy="15" r="5"/><circle cx="52" cy="15" r="5"/></g>',
    '  <g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">',
    `  <text x="${width / 2}" y="20" fill="${INK.dim}" font-size="12" text-anchor="middle">${escaped(title)}</text>`,
    ...lines,
    '  </g>',
    '</svg>',
    '',
  ].join('\n');
}
