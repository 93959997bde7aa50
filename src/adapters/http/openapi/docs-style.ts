/** The style of the page at `/docs`: light or dark as the reader prefers, and readable on a phone. */
export const DOCS_STYLE = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1d2329, #dfe4ea);
  --quiet: light-dark(#57606b, #9aa5b1);
  --ground: light-dark(#ffffff, #14181d);
  --panel: light-dark(#f4f6f8, #1c2229);
  --line: light-dark(#d5dae0, #343d47);
  --accent: light-dark(#0b5cad, #79b8ff);
}
* { box-sizing: border-box; }
body {
  max-width: 80rem; margin: 0 auto; padding: 1.5rem;
  display: grid; grid-template-columns: minmax(14rem, 20rem) minmax(0, 1fr); column-gap: 3rem;
  font: 1rem/1.55 system-ui, sans-serif; color: var(--text); background: var(--ground);
}
header { grid-column: 1 / -1; border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; }
header p { color: var(--quiet); margin: 0 0 0.75rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 0.5rem; }
h2 { font-size: 1.35rem; margin: 2.5rem 0 0.5rem; }
h3 { font-size: 1.05rem; margin: 0 0 0.5rem; overflow-wrap: anywhere; }
h4 { font-size: 0.9rem; margin: 1.25rem 0 0.5rem; color: var(--quiet); }
p { margin: 0 0 0.75rem; }
a { color: var(--accent); }
code { font: 0.9em ui-monospace, monospace; }
pre { background: var(--panel); border-radius: 0.25rem; padding: 0.75rem; overflow-x: auto; margin: 0; }
td code, p code { overflow-wrap: anywhere; }
nav { position: sticky; top: 1.5rem; align-self: start; max-height: calc(100vh - 3rem); overflow: auto; font-size: 0.875rem; }
nav h2 { font-size: 0.875rem; margin: 0 0 0.25rem; }
nav ul { list-style: none; margin: 0 0 1.25rem; padding: 0; }
nav li { overflow-wrap: anywhere; padding: 0.15rem 0; }
nav a { text-decoration: none; }
nav a:hover, nav a:focus-visible { text-decoration: underline; }
main > h2:first-of-type { margin-top: 1.5rem; }
section { border: 1px solid var(--line); border-radius: 0.5rem; padding: 1.25rem; margin: 1rem 0; scroll-margin-top: 1rem; }
section:target { border-color: var(--accent); }
.method { font: 600 0.8em ui-monospace, monospace; color: var(--quiet); }
h3 .method { padding: 0.15rem 0.4rem; border: 1px solid var(--line); border-radius: 0.25rem; background: var(--panel); }
table { width: 100%; table-layout: fixed; border-collapse: collapse; font-size: 0.9rem; }
th { text-align: left; font-weight: 600; color: var(--quiet); }
th, td { padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tbody tr:last-child td { border-bottom: 0; }
th:nth-child(1) { width: 30%; }
th:nth-child(2) { width: 28%; }
small { color: var(--quiet); }
details { margin-top: 1.25rem; }
details th:nth-child(1) { width: 4rem; }
details th:nth-child(2) { width: auto; }
summary { cursor: pointer; color: var(--accent); font-size: 0.9rem; }
@media (max-width: 56rem) {
  body { display: block; padding: 1rem; }
  nav { position: static; max-height: none; margin-bottom: 1.5rem; }
  section { padding: 1rem; }
}
@media (max-width: 40rem) {
  thead { display: none; }
  tr { display: block; padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
  tbody tr:last-child { border-bottom: 0; }
  td { display: block; padding: 0.1rem 0; border: 0; }
}
`;
