/**
 * The paths that a written path may mean: agents, editors and Markdown add a label (`#file:src/a.ts`), an `@`, a query
 * (`a.svg?raw=true`) or an anchor (`a.md#usage`), write backslashes between folders, or escape signs (`src/a\_b.ts`).
 */
export function pathSpellings(written: string): readonly string[] {
  const path = written.replace(SCHEME_OR_LABEL, '').replace(QUERY, '');
  const forms = [path.replace(BACKSLASHES, '/'), path.replace(ESCAPES, '')].map(withoutDot);
  const spellings = forms.flatMap((form) => [
    ...(/^@[\w./]/.test(form) ? [withoutDot(form.slice(1))] : []),
    form,
    form.replace(ANCHOR, ''),
  ]);
  return [...new Set(spellings)];
}

function withoutDot(path: string): string {
  return path.replace(/^(?:\.\/)+/, '');
}

/** The label has at least two letters, because one is a drive of Windows. */
const SCHEME_OR_LABEL = /^(?:file:\/\/(?=\/)|[@#]?[a-z][\w-]{1,20}:(?![/\\]{2}|[/\\]?$))/i;
const QUERY = /(?<=\.[a-z][a-z0-9]{0,9})\?.*/is;
const ANCHOR = /(?<=\.[a-z][a-z0-9]{0,9})#[^/]*$/i;
const BACKSLASHES = /\\{1,2}(?=[\w.@$[(-]|[^\0-\x7f])/g;
const ESCAPES = /\\(?=[_*~[\]()#])/g;
