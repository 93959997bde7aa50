import type { ProjectContext } from '../database/project-database.js';
import type { Session } from '../database/session.js';
import type { OptionalIndexes } from '../indexes/optional-indexes.js';
import { type IndexedWords, indexedWords } from './indexed-words.js';

/**
 * Computes the words of all chunks again, in pages, and writes those that differ: after a change of
 * how words are compared, or for chunks that another program wrote.
 */
export async function rewriteWords(
  { schema }: ProjectContext,
  indexes: OptionalIndexes,
): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const start: number = after;
    after = await indexes.write((session) => rewritePage(session, schema, start));
  }
}

const PAGE_SIZE = 500;

interface WordsRow {
  readonly no: number;
  readonly heading: string | null;
  readonly content: string;
  readonly words: string | null;
  readonly hasBigrams: boolean;
}

/** Returns the number of the last chunk of the page; undefined after the last page. */
async function rewritePage(
  session: Session,
  schema: string,
  after: number,
): Promise<number | undefined> {
  const page = await session.query<WordsRow>(
    `SELECT no, heading, content, words, bigram_positions IS NOT NULL AS "hasBigrams"
       FROM ${schema}.chunks WHERE no > $1 ORDER BY no LIMIT ${PAGE_SIZE} FOR NO KEY UPDATE`,
    [after],
  );
  const changed = page
    .map((row) => ({ row, indexed: indexedWords(row) }))
    .filter(({ row, indexed }) => !isCurrent(row, indexed));
  if (changed.length > 0) {
    await session.query(
      `UPDATE ${schema}.chunks c SET words = n.words, word_count = n.word_count,
           word_positions = n.word_positions, bigram_count = n.bigram_count,
           bigram_positions = n.bigram_positions
         FROM unnest($1::bigint[], $2::text[], $3::integer[], $4::tsvector[], $5::integer[],
           $6::tsvector[])
           AS n(no, words, word_count, word_positions, bigram_count, bigram_positions)
         WHERE c.no = n.no`,
      [
        changed.map(({ row }) => row.no),
        changed.map(({ indexed }) => indexed.words),
        changed.map(({ indexed }) => indexed.wordCount),
        changed.map(({ indexed }) => indexed.wordPositions),
        changed.map(({ indexed }) => indexed.bigramCount),
        changed.map(({ indexed }) => indexed.bigramPositions),
      ],
    );
  }
  return page.length < PAGE_SIZE ? undefined : page.at(-1)?.no;
}

function isCurrent(row: WordsRow, indexed: IndexedWords): boolean {
  return row.words === indexed.words && row.hasBigrams === (indexed.bigramPositions !== null);
}
