/** Paths relative to a project, with `/` between their names. */

/** Returns a function that says whether a path is one of these, or is below one. */
export function atOrBelow(paths: Iterable<string>): (path: string) => boolean {
  const wanted = new Set(paths);
  return (path) => {
    for (let at = path; at !== ''; at = folderOf(at)) if (wanted.has(at)) return true;
    return false;
  };
}

/** Returns a function that says whether a folder is above one of these paths. */
export function above(paths: Iterable<string>): (folder: string) => boolean {
  const folders = new Set(['']);
  for (const path of paths) for (const folder of foldersAbove(path)) folders.add(folder);
  return (folder) => folders.has(folder);
}

/** The folder that a path is in; empty for the project itself. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folders that contain a path, from the top, without the project itself. */
function foldersAbove(path: string): readonly string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}
