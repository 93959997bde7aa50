import { FakeEmbedder } from '../fakes/fake-embedder.js';
import { InMemoryExportFiles } from '../fakes/in-memory-export-files.js';
import { type CoreInMemory, coreInMemory } from './core-in-memory.js';

const P = '/project';
export const MODEL = 'fake/words';

/** A core without a store, whose exports are these. */
export function emptyCore(exports: InMemoryExportFiles, model = MODEL): CoreInMemory {
  return coreInMemory({ exports, embedder: new FakeEmbedder({ model }) });
}

export const EXPORT_FILE = '.knowledge/knowledge.db.export-all.jsonl';

/** A core with three chunks, two vectors and the vector of one question, and the lines of its export. */
export async function exportedCore() {
  const exports = new InMemoryExportFiles();
  const world = await filledCore(exports);
  await world.core.recovery.exportStore(P, 'all');
  return { exports, world, lines: [...(exports.files.get(EXPORT_FILE) ?? [])] };
}

async function filledCore(exports: InMemoryExportFiles): Promise<CoreInMemory> {
  const filled = emptyCore(exports);
  filled.ports.files.set('docs/a.md', '## One\nthe ibex\n\n## Two\nthe okapi');
  filled.ports.files.set('docs/b.md', 'the numbat');
  await filled.core.store.readAllSources(P);
  const { store } = await filled.core.projects.open(P);
  const vectorOf = async (texts: readonly string[]) =>
    (await FakeEmbedder.ready().embedBatch(texts))[0] ?? new Float32Array();
  for (const item of await store.vectors.pending(2)) {
    await store.vectors.put([{ ...item, vector: await vectorOf(item.texts) }]);
  }
  const [chunk] = await store.questions.pending(1);
  if (chunk !== undefined) await store.questions.save(chunk, ['Where is it?']);
  for (const item of await store.questionVectors.pending(9)) {
    await store.questionVectors.put([{ ...item, vector: await vectorOf(item.texts) }]);
  }
  return filled;
}
