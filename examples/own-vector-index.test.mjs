// @ts-check
/** Holds the vector index of the example to the contract of its port: `npx vitest run <this file>`. */
import { describeOwnVectorIndex } from 'knowledge-store/testing';
import { MapVectorIndex } from './own-vector-index.mjs';

describeOwnVectorIndex('a Map of vectors', (texts) => new MapVectorIndex(texts, 384));
