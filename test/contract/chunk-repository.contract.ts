import { describeCjkSearch } from './chunk-repository-cjk.contract.js';
import { describeMovedChunks } from './chunk-repository-moving.contract.js';
import { describeReplacing } from './chunk-repository-replacing.contract.js';
import { describeKeywordSearch } from './chunk-repository-search.contract.js';
import { describeUpkeep } from './chunk-repository-upkeep.contract.js';
import type { MakeHarness } from './project-stores-harness.js';

/** What every ChunkRepository does. */
export function describeChunkRepository(name: string, makeHarness: MakeHarness): void {
  describeReplacing(name, makeHarness);
  describeMovedChunks(name, makeHarness);
  describeKeywordSearch(name, makeHarness);
  describeCjkSearch(name, makeHarness);
  describeUpkeep(name, makeHarness);
}
