import type { Mention } from './mentions.js';

/**
 * The mentions that the entries of `cites:` in the frontmatter of a file stand for: `path` or `path:from-to`. An entry without a
 * slash is looked for from the project's folder first.
 */
export function mentionsInEntries(entries: readonly string[]): readonly Mention[] {
  return entries.flatMap((entry) => {
    const { 1: written = '', 2: first, 3: last } = ENTRY.exec(entry) ?? [];
    if (written === '' || written.startsWith('/')) return [];
    const [from, to] = [Number(first ?? 0), Number(last ?? first ?? 0)];
    const lines = from >= 1 && to >= from ? { lines: { from, to } } : {};
    const path = written.replaceAll('\\', '/').replace(/^(\.\/)+/, '');
    const places = path.includes('/') ? [path] : [`./${path}`, path];
    return places.map((place) => ({ path: place, ...lines }));
  });
}

const ENTRY = /^(.*?)(?::(\d{1,7})(?:-(\d{1,7}))?)?$/s;
