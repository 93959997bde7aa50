/** Styles for light and dark mode, with colors that are distinguishable with red-green color blindness. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ink: #1d2127; --muted: #5c6672; --paper: #fdfdfc; --card: #ffffff; --line: #e1e4e8;
  --keyword: #a9b2bd; --vectors: #3f7cc4; --whisker: #1d2127; --gain: #2f7fd0; --loss: #d9772b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6e9ed; --muted: #9aa4b0; --paper: #14171b; --card: #1b1f25; --line: #333a43;
    --keyword: #66717e; --vectors: #5b9be6; --whisker: #f2f4f7; --gain: #5b9be6; --loss: #e8944f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 82rem; background: var(--paper);
  color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif;
}
h1 { font-size: 1.6rem; margin: 0 0 .25rem; }
h2 { font-size: 1.25rem; margin: 0 0 .25rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .25rem; }
p { margin: .25rem 0 1rem; max-width: 46rem; }
a { color: var(--vectors); }
nav { margin: 1rem 0 1.5rem; display: flex; flex-wrap: wrap; gap: .35rem 1rem; }
section {
  background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: 1.25rem 1.5rem; margin: 0 0 1.5rem;
}
.muted { color: var(--muted); }
.wide { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem 1.5rem; }
figure { margin: .5rem 0 1rem; max-width: 46rem; }
figure.small { margin: 0; max-width: none; }
figcaption { font-size: .85rem; }
svg { display: block; width: 100%; height: auto; overflow: visible; }
svg text { fill: var(--ink); font-size: 12.5px; }
svg .group { font-weight: 600; }
svg .label { text-anchor: end; }
svg .value { font-variant-numeric: tabular-nums; }
svg .tick, svg .side { fill: var(--muted); font-size: 11px; }
svg .tick { text-anchor: middle; }
svg .side { text-anchor: end; font-size: 10px; }
svg .keyword { fill: var(--keyword); } svg .vectors { fill: var(--vectors); }
svg .gain { fill: var(--gain); } svg .loss { fill: var(--loss); }
svg .grid { stroke: var(--line); }
svg .zero { stroke: var(--muted); }
svg .whisker { stroke: var(--whisker); stroke-width: 1.25; }
svg .base { stroke: var(--muted); stroke-dasharray: 3 3; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .8rem; font-variant-numeric: tabular-nums; width: 100%; }
th, td { padding: .3rem .4rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--muted); }
th.name, td.name { text-align: left; }
th:first-child, td:first-child { padding-left: 0; }
`;
