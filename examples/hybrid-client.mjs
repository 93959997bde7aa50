// @ts-check
/**
 * Talks to a running service of the hybrid variant:
 *
 *   npm start
 *   node examples/hybrid-client.mjs [project] [query]
 */
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { get, post } from './rest-client.mjs';
import { projectFromArguments } from './small-project.mjs';

const LONGEST_WAIT_MS = 60_000;

const project = await projectFromArguments();
const projectPath = project.path;
const query = process.argv[3] ?? 'session cookie';
try {
  const reflections = await post('/ingest/reflections', { projectPath });
  const outputs = await post('/ingest/agent-outputs', { projectPath });
  console.log(
    `${reflections.indexed} reflections and ${outputs.indexed} agent outputs are indexed.`,
  );
  const stats = await post('/rebuild', { projectPath });
  console.log(`With memory and documentation that makes ${stats.totalChunks} chunks.`);

  const { embeddings, model } = await vectorsOrNoModel();
  console.log(`${embeddings.complete} of them have a vector; the model is ${model.state}.`);

  const answer = await post('/search', { projectPath, query, maxResults: 3, explain: true });
  console.log(`${answer.retrieval_mode}: ${answer.explain.mode.reason}`);
  for (const { chunk, score } of answer.results) {
    console.log(`${score.toFixed(4)}  ${chunk.sourceFile}  ${chunk.heading ?? ''}`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await project.remove();
}

/** Search also works without vectors; this example waits for them to show the difference. */
async function vectorsOrNoModel() {
  for (let waited = 0; ; waited += 200) {
    const status = await get('/x/status', { projectPath });
    const isReady = status.embeddings.pending === 0 && status.model.state === 'ready';
    const isSettled = isReady || /absent|failed/.test(status.model.state);
    if (isSettled || waited >= LONGEST_WAIT_MS) return status;
    await sleep(200);
  }
}
