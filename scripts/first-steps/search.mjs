import { createKnowledgeStore } from 'knowledge-store';

const { store, stop } = createKnowledgeStore({ dataDir: process.env.DATA_DIR ?? 'data' });
const { results } = await store.search(process.cwd(), 'Who waits for the lock?');
await stop();
for (const { chunk, score } of results) {
  console.log(score.toFixed(3), chunk.id, chunk.content);
}
if (results.length !== 1) throw new Error('The library should find one chunk.');
