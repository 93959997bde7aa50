/** Paths relative to a project, with `/` as separator. */

/** Returns a function that tells whether a path is one of these or below one of them. */
export function atOrBelow(paths: Iterable<string>): (path: string) => boolean {
  const wanted = new Set(paths);
  return (path) => {
    for (let at = path; at !== ''; at = parentFolder(at)) if (wanted.has(at)) return true;
    return false;
  };
}

/** Returns a function that tells whether a folder is above one of these paths. */
export function above(paths: Iterable<string>): (folder: string) => boolean {
  const folders = new Set(['']);
  for (const path of paths) for (const folder of foldersAbove(path)) folders.add(folder);
  return (folder) => folders.has(folder);
}

/** The folder of a path; empty if that is the project itself. */
export function parentFolder(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folders that contain a path, from the top, without the project itself. */
function foldersAbove(path: string): readonly string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}

/**
 * The paths that a text may mean, most literal first: agents and editors write absolute paths, URLs, `./`, a leading
 * `/`, backslashes, `@`, quotes, percent-encoding and letters in another normal form. Only the text itself if it leads
 * out of the project.
 */
export function pathsMeant(text: string, projectPath: string): readonly string[] {
  const written = withoutFrame(text);
  const plain = decodePath(written);
  const forms = [plain.normalize('NFC'), plain.normalize('NFD')];
  const readings = [text, written, ...forms, written.replace(/^@/, '')];
  const inside = readings.flatMap((reading) => pathInside(reading, projectPath) ?? []);
  return [...new Set([text, ...inside])];
}

/** Removes spaces, quotes, backticks and angle brackets around a text. */
function withoutFrame(text: string): string {
  const trimmed = text.trim();
  return /^(["'`])(.*)\1$/s.exec(trimmed)?.[2] ?? /^<(.*)>$/s.exec(trimmed)?.[1] ?? trimmed;
}

/** Undefined if the path leads out of the project. */
function pathInside(text: string, projectPath: string): string | undefined {
  const path = withoutScheme(text).replaceAll('\\', '/');
  const root = `${projectPath.replaceAll('\\', '/')}/`;
  const names: string[] = [];
  for (const name of (path.startsWith(root) ? path.slice(root.length) : path).split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return names.join('/');
}

function withoutScheme(text: string): string {
  const [, path] = /^file:(?:\/\/(?:localhost)?|(?=\/))(.*)/is.exec(text) ?? [];
  return path === undefined ? text : decodePath(path).replace(/^\/(?=[a-z]:)/i, '');
}

/** Decodes percent-encoding; returns the text itself if it is not valid. */
export function decodePath(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
