import type { JudgedCitation } from '../../domain/citations/citation.js';
import type { CitationChange } from '../../domain/citations/citation-change.js';
import type { CitationStore, StoredCitations } from '../../ports/driven/citation-store.js';
import type { ProjectTables, Row } from './project-tables.js';

/** Must be called in the write that replaces the chunks. */
export function writeCitations(
  tables: ProjectTables,
  { dropped, added }: CitationChange,
  now: Date,
): void {
  const citedAt = now.toISOString();
  for (const { cited: _, ...row } of tables.rowsOf(dropped)) tables.put(row);
  for (const { chunkId, citations } of added) {
    for (const row of tables.rowsOf([chunkId])) {
      const judged = citations.map((citation) => ({ ...citation, state: 'current' as const }));
      tables.put({ cited: { citedAt, citations: judged }, ...row });
    }
  }
}

/** Citations, stored with the chunks. */
export class InMemoryCitations implements CitationStore {
  readonly #tables: ProjectTables;

  constructor(tables: ProjectTables) {
    this.#tables = tables;
  }

  async of(chunkIds: readonly string[]): Promise<readonly StoredCitations[]> {
    return this.#tables.rowsOf(chunkIds).flatMap(citationsOf);
  }

  async stale(): Promise<readonly StoredCitations[]> {
    return this.#tables
      .rows()
      .flatMap(citationsOf)
      .filter(({ citations }) => citations.some(({ state }) => state !== 'current'))
      .toSorted((a, b) => (a.chunkId < b.chunkId ? -1 : 1));
  }

  async citedPaths(): Promise<readonly string[]> {
    return [...new Set(this.#all().map(({ path }) => path))];
  }

  async citationsOf(paths: readonly string[]): Promise<readonly JudgedCitation[]> {
    const cited = this.#all().filter(({ path }) => paths.includes(path));
    return [...new Map(cited.map((citation) => [keyOf(citation), citation])).values()];
  }

  async judge(judged: readonly JudgedCitation[]): Promise<void> {
    const verdicts = new Map(judged.map((citation) => [keyOf(citation), citation]));
    for (const { cited, ...row } of this.#tables.rows()) {
      if (cited === undefined) continue;
      const citations = cited.citations.map(
        (citation) => verdicts.get(keyOf(citation)) ?? citation,
      );
      this.#tables.put({ ...row, cited: { ...cited, citations } });
    }
  }

  #all(): readonly JudgedCitation[] {
    return this.#tables.rows().flatMap(({ cited }) => cited?.citations ?? []);
  }
}

function keyOf({ path, fileHash, lines, linesHash }: JudgedCitation): string {
  return [path, fileHash, lines?.from, lines?.to, linesHash].join('\n');
}

function citationsOf({ chunk, cited }: Row): readonly StoredCitations[] {
  return cited === undefined ? [] : [{ chunkId: chunk.id, ...cited }];
}
