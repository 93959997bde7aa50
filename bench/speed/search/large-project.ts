import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { appDirectories } from '../../../src/adapters/files/app-directories.js';
import { openDatabase } from '../../../src/adapters/sqlite/database/driver.js';
import { STATEMENTS } from '../../../src/adapters/sqlite/process/long-statements.js';
import { SqliteProjectStores } from '../../../src/adapters/sqlite/stores/sqlite-project-stores.js';
import { createPinoLogger } from '../../../src/adapters/system/pino-logger.js';
import { systemClock } from '../../../src/adapters/system/system-clock.js';
import { SOURCE_TYPES } from '../../../src/domain/chunks/chunk.js';
import { chunkMarkdownFile } from '../../../src/domain/chunks/chunking.js';
import { generator } from '../../quality/statistics.js';

export const APP_DIR = '.knowledge';

export interface Text {
  readonly heading: string | null;
  readonly content: string;
}

/** Creates a project with `size` chunks made of these texts in `cache`, unless it already exists there. */
export async function largeProject(
  cache: string,
  texts: readonly Text[],
  size: number,
): Promise<string> {
  const project = join(cache, `chunks-${size}`);
  if (existsSync(project)) return project;
  const unfinished = `${project}-unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  const stores = openStores();
  await stores.open(unfinished);
  await stores.close();
  fill(join(unfinished, APP_DIR, 'knowledge.db'), texts, size);
  await rename(unfinished, project);
  return project;
}

export function openStores(): SqliteProjectStores {
  return new SqliteProjectStores({
    appDirs: appDirectories(APP_DIR),
    model: 'none',
    dimensions: 384,
    clock: systemClock,
    logger: createPinoLogger('silent'),
  });
}

/** The chunks of all markdown files in an archive, cut like the product cuts them. */
export async function textsOf(archive: string, cache: string): Promise<readonly Text[]> {
  const folder = join(cache, 'texts');
  await mkdir(folder, { recursive: true });
  await promisify(execFile)('tar', ['-xzf', archive, '-C', folder]);
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.md'));
  const files = await Promise.all(
    names.toSorted().map((name) => readFile(join(folder, name), 'utf8')),
  );
  const options = { parseYaml: () => undefined };
  return files.flatMap((file) =>
    chunkMarkdownFile(file, options).map(({ heading = null, content }) => ({ heading, content })),
  );
}

function fill(file: string, texts: readonly Text[], size: number): void {
  const db = openDatabase(file);
  const insert = db.prepare(
    `INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, heading, content,
       importance, created_at, updated_at) VALUES (?, ?, ?, '/', ?, ?, ?, 0.5, ?, ?)`,
  );
  const insertAll = db.transaction(() => {
    let number = 0;
    for (const { heading, content } of varied(texts, size)) {
      const [source, index] = [`doc-${Math.floor(number / 12)}.md`, number % 12];
      const type = SOURCE_TYPES[number % SOURCE_TYPES.length];
      const at = new Date(1.7e12 + number * 1000).toISOString();
      insert.run(`${source}#${index}`, type, source, index, heading, content, at, at);
      number += 1;
    }
  });
  insertAll();
  STATEMENTS.rebuild(db); // ends like the first ingestion of a project
  db.close();
}

/** In repeated texts, one in this many words is replaced. */
const REPLACED = 7;

/** Yields `size` texts: these, and then the same again with some words replaced. Every run yields the same. */
export function* varied(texts: readonly Text[], size: number): Generator<Text> {
  const random = generator(1);
  const words = texts.slice(0, 2000).flatMap(({ content }) => content.match(/\p{L}{3,}/gu) ?? []);
  const other = () => words[Math.floor(random() * words.length)] ?? '';
  for (let number = 0; number < size; number += 1) {
    const { heading, content } = texts[number % texts.length] as Text;
    const changed = (word: string) => (random() < 1 / REPLACED ? other() : word);
    const isRepeated = number >= texts.length;
    yield { heading, content: isRepeated ? content.replace(/\p{L}{3,}/gu, changed) : content };
  }
}
