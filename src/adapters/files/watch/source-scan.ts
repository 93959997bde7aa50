import { type Dirent, statSync } from 'node:fs';
import { join } from 'node:path';
import { featuresFolder, ownFolders } from '../../../domain/project-layout.js';
import { CooperativeYield } from '../cooperative-yield.js';
import { isDocumentation, pathIn, walkFolders } from '../folder-walk.js';
import { readFolderInside } from '../read-folder.js';

export interface ScanOptions {
  readonly appDir: string;
  readonly ignore: boolean;
  /** Only these folders and what is below them; default the whole project. */
  readonly within?: readonly string[];
  /** Called for each folder before its files are looked at. */
  readonly onFolder: (folder: string) => void;
}

/** The files of a project that may be sources: for each path what changes with every write. */
export type ScannedFiles = ReadonlyMap<string, ScannedFile>;

export interface ScannedFile {
  readonly signature: string;
  /** When it was written, renamed or given other permissions, in milliseconds since 1970. */
  readonly changedAt: number;
}

/** Looks at all files of a project that may be sources; opens none of them. */
export async function scanSources(
  projectPath: string,
  options: ScanOptions,
): Promise<ScannedFiles> {
  const files = new Map<string, ScannedFile>();
  const cpu = new CooperativeYield();
  for await (const { path, entries } of foldersOfSources(projectPath, options)) {
    options.onFolder(path);
    const paths = entries.filter(isDocumentation).map((entry) => pathIn(path, entry));
    for (const file of paths) {
      files.set(file, scanFile(join(projectPath, file)));
      await cpu.yieldIfDue();
    }
  }
  return files;
}

/** The paths of files that came, went or were written between two scans. */
export function changesBetween(before: ScannedFiles, after: ScannedFiles): readonly string[] {
  const written = [...after].filter(
    ([path, { signature }]) => before.get(path)?.signature !== signature,
  );
  const gone = [...before.keys()].filter((path) => !after.has(path));
  return [...written.map(([path]) => path), ...gone];
}

interface Folder {
  readonly path: string;
  readonly entries: readonly Dirent[];
}

async function* foldersOfSources(
  projectPath: string,
  { appDir, ignore, within }: ScanOptions,
): AsyncGenerator<Folder> {
  const skippedFolders = ownFolders(appDir);
  yield* walkFolders(projectPath, { ignore, skippedFolders, within });
  for (const path of [appDir, ...skippedFolders]) {
    const { entries } = await readFolderInside(projectPath, path);
    yield { path, entries };
    if (path !== featuresFolder(appDir)) continue;
    for (const entry of entries) {
      const feature = pathIn(path, entry);
      if (entry.isDirectory())
        yield { path: feature, ...(await readFolderInside(projectPath, feature)) };
    }
  }
}

/** Of the target of a link; only whether it changed is used. */
function scanFile(path: string): ScannedFile {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(path);
    return { signature: [ino, size, mtimeMs, ctimeMs].join(':'), changedAt: ctimeMs };
  } catch {
    return { signature: 'unknown', changedAt: 0 };
  }
}
