/**
 * Whether a search across projects begins with the right chunk: the collections with recorded vectors as projects,
 * at most 100 questions of each, of which those count that their own project alone answers first.
 * Usage: npx tsx bench/quality/projects.ts <folder of collections>
 */
import { fillProject } from './bench-project.js';
import { type Collection, collectionNames, readCollection } from './collection.js';
import { MODES } from './modes.js';
import { MODEL } from './real-embedder.js';
import { RecordedEmbedder } from './recorded-embedder.js';
import { startService } from './service.js';

/** Another judgment of the same documents is no other project. */
const SAME_DOCUMENTS = new Set(['aiom-deps']);
const QUESTIONS = 100;
const { options } = MODES['blend+union'];

const [, , data = ''] = process.argv;
const sets = collectionNames(data)
  .filter((name) => !SAME_DOCUMENTS.has(name))
  .map((name) => readCollection(data, name))
  .filter(({ queries }) => queries.every(({ vector }) => vector));
const embedder = new RecordedEmbedder(
  MODEL,
  sets.flatMap(({ queries }) => queries),
);
const projects = await Promise.all(sets.map((set) => fillProject(set, {})));
const { store, projectsSearch, stop } = startService('hybrid', embedder);
const paths = projects.map(({ path }) => path);
try {
  for (const [index, set] of sets.entries()) console.log(await lineOf(set, paths[index] ?? ''));
} finally {
  await stop();
  for (const project of projects) project.remove();
}

async function lineOf(set: Collection, path: string): Promise<string> {
  const step = Math.max(1, Math.floor(set.queries.length / QUESTIONS));
  const asked = set.queries.filter((_, index) => index % step === 0).slice(0, QUESTIONS);
  let [alone, first, project] = [0, 0, 0];
  for (const { text, relevant, excluded } of asked) {
    const isOther = ({ chunk }: { readonly chunk: { readonly id: string } }) =>
      !excluded.has(chunk.id);
    const own = (await store.search(path, text, options)).results.find(isOther);
    if (own === undefined || !relevant.has(own.chunk.id)) continue;
    alone += 1;
    const best = (await projectsSearch.searchProjects(paths, text, options)).results.find(isOther);
    if (best?.projectPath === path) project += 1;
    if (best?.projectPath === path && relevant.has(best.chunk.id)) first += 1;
  }
  return `| ${set.name} | ${set.documents.length} | ${asked.length} | ${alone} | ${project} | ${first} |`;
}
