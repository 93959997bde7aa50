// Draws a real session in a terminal, readable in light and dark, for the README:
//   npm run build && node scripts/terminal-picture.mjs <folder with models/>
// The project is made for it; the model is needed, because the question shares no word with the text that answers it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const CHECKOUT = fileURLToPath(new URL('..', import.meta.url));
const [models = 'data'] = process.argv.slice(2);
const COLUMNS = 88;

const FILES = {
  'docs/release.md':
    '# Releases\n\n## Shipping\nVersions go out on Tuesdays, after the nightly build. Nobody ships on a Friday.\n',
  'docs/database.md':
    '# Database\n\n## Locks\nWriters wait for the write lock of the other process, up to 15 seconds.\n\n## Backups\nA copy is made every night at two.\n',
  '.knowledge/features/login/reflection.md':
    '## What went wrong\nThe cookie was not renewed after the password changed, so people were signed out.\n',
};
const COMMANDS = [
  'knowledge-store ingest',
  'knowledge-store search when do we publish',
  'knowledge-store search write lock -n 1',
  'knowledge-store connect claude',
];

const home = mkdtempSync(join(tmpdir(), 'terminal-'));

/** The lines that a person sees, with the codes of colors. */
function run(command, index) {
  const project = join(home, 'shop');
  if (index === 0) {
    for (const [path, text] of Object.entries({ '.git/HEAD': '', ...FILES })) {
      mkdirSync(join(project, path, '..'), { recursive: true });
      writeFileSync(join(project, path), text);
    }
    mkdirSync(join(home, '.local/share/knowledge-store'), { recursive: true });
    symlinkSync(resolve(models, 'models'), join(home, '.local/share/knowledge-store/models'));
  }
  const program = `"${process.execPath}" "${join(CHECKOUT, 'dist/cli.js')}"`;
  const shown = execFileSync('sh', ['-c', `${command.replace('knowledge-store', program)} 2>&1`], {
    cwd: project,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: home, COLUMNS: String(COLUMNS), FORCE_COLOR: '1' },
  });
  const lines = shown.replaceAll(home, '~').trimEnd().split('\n');
  return [...(index === 0 ? [] : ['']), `\u001b[1m$ ${command}\u001b[22m`, ...lines];
}

function svgOf(lines) {
  const [width, height] = [COLUMNS * 8 + 32, lines.length * 19 + 32];
  const texts = lines.map((line, i) => `<text x="16" y="${i * 19 + 30}">${spansOf(line)}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="A session in a terminal">
<style>
  rect { fill: #f6f8fa; stroke: #d0d7de }
  text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328; white-space: pre }
  .bold { font-weight: 600 } .dim { fill: #59636e } .name { fill: #0969da } .match { fill: #9a6700; font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    rect { fill: #151b23; stroke: #3d444d }
    text { fill: #e6edf3 } .dim { fill: #9198a1 } .name { fill: #4493f8 } .match { fill: #d29922 }
  }
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8"/>
${texts.join('\n')}
</svg>
`;
}

/** Codes of colors as classes; nothing else is in the output. */
function spansOf(line) {
  const on = new Set();
  const [first, ...others] = line.split('\u001b[');
  const spans = others.map((part) => {
    const end = part.indexOf('m');
    const code = Number(part.slice(0, end));
    for (const [name, starts, ends] of CODES) {
      if (code === starts) on.add(name);
      if (code === ends) on.delete(name);
    }
    return spanOf(part.slice(end + 1), on);
  });
  return [spanOf(first, on), ...spans].join('');
}

const CODES = [
  ['bold', 1, 22],
  ['dim', 2, 22],
  ['name', 36, 39],
  ['match', 33, 39],
];

function spanOf(text, on) {
  if (text === '') return '';
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const name = ['match', 'name', 'dim', 'bold'].find((one) => on.has(one));
  return name === undefined ? escaped : `<tspan class="${name}">${escaped}</tspan>`;
}

try {
  const picture = svgOf(COMMANDS.flatMap(run));
  writeFileSync(join(CHECKOUT, 'docs/pictures/terminal.svg'), picture);
} finally {
  rmSync(home, { recursive: true });
}
