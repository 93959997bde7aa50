// @ts-check
/**
 * Uses the knowledge store as a library, without a server:
 *
 *   node examples/in-process.mjs [project] [query]
 */
import process from 'node:process';
import { createKnowledgeStore, KnowledgeError } from 'knowledge-store';
import { projectFromArguments } from './small-project.mjs';

const project = await projectFromArguments();
const query = process.argv[3] ?? '"database locks" OR migration*';

const { store, stop } = createKnowledgeStore({
  appDir: process.env['KNOWLEDGE_APP_DIR'],
  dataDir: process.env['DATA_DIR'],
  // Without this, the first search downloads the embedding model, about 23 MB, to DATA_DIR/models.
  downloads: 'forbidden',
});
try {
  const { indexed, skipped } = await store.reindex(project.path);
  console.log(`${indexed} files are indexed, ${skipped.length} were skipped.`);

  const { results, retrievalMode, totalTokens } = await store.search(project.path, query, {
    maxTokens: 2000,
  });
  console.log(`${results.length} chunks (${totalTokens} tokens, ${retrievalMode}):`);
  for (const { chunk } of results) {
    console.log(`- ${chunk.id}  ${chunk.heading ?? ''}  ${chunk.tags?.join(', ') ?? ''}`);
  }

  const similar = await store.findSimilarChunks(project.path, 'Keep transactions short.');
  console.log(`Most like a new note: ${similar.results[0]?.chunk.id ?? 'nothing'}`);

  const reflections = await store.ingestReflections(project.path);
  const lessons = await store.searchReflections(project.path, 'The cookie was not renewed.', 1);
  console.log(`Of ${reflections} reflections: ${lessons.results[0]?.chunk.heading ?? 'nothing'}`);
} catch (error) {
  if (!(error instanceof KnowledgeError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
} finally {
  await stop();
  await project.remove();
}
