// @ts-check
/**
 * Talks to a running service of the search-only variant:
 *
 *   KNOWLEDGE_VARIANT=search-only npm start
 *   node examples/search-only-client.mjs [project] [query]
 */
import process from 'node:process';
import { post } from './rest-client.mjs';
import { projectFromArguments } from './small-project.mjs';

const project = await projectFromArguments();
const query = process.argv[3] ?? 'transaction';
try {
  const { stats } = await post('/rebuild', { projectPath: project.path });
  console.log(`${stats.totalChunks} chunks of ${stats.uniqueSources} files are indexed.`);

  const { results } = await post('/search', { projectPath: project.path, query, maxResults: 3 });
  for (const { chunk, score } of results) {
    console.log(`${score.toFixed(2)}  ${chunk.sourceFile}  ${chunk.heading ?? ''}`);
  }
  if (results.length === 0) console.log(`Nothing matches ${query}.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await project.remove();
}
