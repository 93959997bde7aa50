// @ts-check
/** Keeps everything in memory, so that nothing is written: node examples/in-memory.mjs [project] [query] */
import process from 'node:process';
import { createKnowledgeStore } from 'knowledge-store';
import { projectFromArguments } from './small-project.mjs';

const project = await projectFromArguments();
const { store, stop } = createKnowledgeStore({ variant: 'search-only', backend: 'memory' });
await store.reindex(project.path);
const { results } = await store.search(project.path, process.argv[3] ?? 'oil');
for (const { chunk } of results) console.log(chunk.id, chunk.heading ?? '');
await stop();
await project.remove();
