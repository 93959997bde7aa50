import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { adopt } from '../../../src/adapters/sqlite/adoption/adopt.js';
import { fileId } from '../../../src/adapters/sqlite/database/files.js';
import { APP_DIR, DATABASE, writeForeignDatabase } from '../../quality/foreign-database.js';
import { median } from '../../quality/statistics.js';
import { processorMs } from '../measuring.js';
import type { Part } from '../part.js';
import { someVector } from '../planted-vectors.js';
import { openStores, type Text, textsOf, varied } from '../search/large-project.js';

/**
 * Adoption of another program's database with a vector for every chunk: as part of the first opening, and alone in this
 * process.
 */
export const adoption: Part = async ({ archive, cache, chunks }) => {
  const foreign = foreignProject(cache, await textsOf(archive, cache), chunks);
  const [opening, alone, processor]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    opening.push(await seconds(foreign, opened));
    alone.push(
      await seconds(foreign, async (project) => {
        processor.push((await processorMs(() => adopted(project))) / 1000);
      }),
    );
  }
  const row = (name: string, times: readonly number[]) => [
    name,
    median(times).toFixed(2),
    Math.min(...times).toFixed(2),
  ];
  return [
    {
      title: `Adoption of ${chunks} chunks with vectors, ${ROUNDS} rounds`,
      head: ['', 'median, s', 'least, s'],
      rows: [
        row('first opening', opening),
        row('adoption alone', alone),
        row('processor time of it', processor),
      ],
    },
  ];
};

const ROUNDS = 3;

/** How long some work on a copy of the project takes, in seconds. */
async function seconds(foreign: string, work: (project: string) => Promise<void>): Promise<number> {
  const copy = `${foreign}-copy`;
  rmSync(copy, { recursive: true, force: true });
  cpSync(foreign, copy, { recursive: true });
  const begin = performance.now();
  await work(copy);
  const took = (performance.now() - begin) / 1000;
  rmSync(copy, { recursive: true });
  return took;
}

async function opened(project: string): Promise<void> {
  const stores = openStores();
  await stores.open(project);
  await stores.close();
}

async function adopted(project: string): Promise<void> {
  const path = join(project, DATABASE);
  const file = fileId(path);
  await adopt({ path, file, projectPath: project, model: 'none', dimensions: 384 });
}

function foreignProject(cache: string, texts: readonly Text[], size: number): string {
  const project = join(cache, `foreign-${size}`);
  if (existsSync(project)) return project;
  const unfinished = `${project}-unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(join(unfinished, APP_DIR), { recursive: true });
  const documents = Array.from(varied(texts, size), ({ heading, content }, number) => ({
    id: `doc-${Math.floor(number / 12)}.md#${number % 12}`,
    title: heading ?? '',
    text: content,
    path: `doc-${Math.floor(number / 12)}.md`,
    vector: someVector(),
  }));
  writeForeignDatabase(unfinished, { documents, model: 'none' });
  renameSync(unfinished, project);
  return project;
}
