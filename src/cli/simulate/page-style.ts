/** Light and dark, for screen and paper. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1d2430; --soft: #5b6575; --line: #dde2ea; --paper: #fdfdfc; --raised: #f3f5f8; --accent: #a4342a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ef; --soft: #9aa5b6; --line: #333b48; --paper: #14181f; --raised: #1d232d; --accent: #f0857a; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 3rem 1.5rem 5rem; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { margin: 0 0 .75rem; font-size: 1.9rem; font-weight: 650; letter-spacing: -.015em; }
h2 { margin: 3rem 0 .75rem; font-size: 1.2rem; font-weight: 650; }
h3 { margin: 1.5rem 0 .25rem; font-size: .9rem; }
p { margin: .4rem 0; max-width: 46rem; }
header p, li { color: var(--soft); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 1rem; margin-top: 2rem; }
.figures div { padding: 1rem 1.25rem; border-radius: .6rem; background: var(--raised); }
.figures strong { display: block; font-size: 1.9rem; font-weight: 600; line-height: 1.2; font-variant-numeric: tabular-nums; }
.figures span { color: var(--soft); font-size: .9rem; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; min-width: 40%; font-size: .9rem; }
th { text-align: left; font-weight: 600; color: var(--soft); }
th, td { padding: .45rem 1.1rem .45rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
.name { white-space: nowrap; }
td:first-child { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .85rem; }
.n { text-align: right; font-variant-numeric: tabular-nums; }
pre { overflow-x: auto; padding: 1rem; border-radius: .6rem; background: var(--raised); font-size: .85rem; color: var(--accent); }
@media print { body { padding: 0; } section { break-inside: avoid; } }
`;
