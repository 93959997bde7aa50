import { embeddingText } from '../../../domain/chunks/chunk.js';
import type { EmbeddableText } from '../../../ports/driven/embeddable-texts.js';
import type { Session } from '../connection/session.js';
import { type TextRow, textOf } from './chunk-rows.js';

/** Which texts of a chunk are embedded, and where their vectors are. */
export interface TextKind {
  /** The table of the vectors. */
  readonly vectors: string;
  /** What is selected besides the chunk named `c`, and joined to it. */
  readonly column: string;
  readonly join: (schema: string) => string;
  readonly textsOf: (row: KindRow) => readonly string[];
}

interface KindRow extends TextRow {
  readonly no: number;
  readonly questions: readonly string[] | null;
}

/** The content of a chunk with its heading. */
export const CONTENT_TEXTS: TextKind = {
  vectors: 'content_vectors',
  column: 'NULL AS questions',
  join: () => '',
  textsOf: (row) => [embeddingText(textOf(row))],
};

/** The questions of a chunk; only chunks that have questions. */
export const QUESTION_TEXTS: TextKind = {
  vectors: 'question_vectors',
  column: 'q.texts AS questions',
  join: (schema) => `JOIN ${schema}.questions q ON q.chunk_no = c.no AND q.texts <> '{}'`,
  textsOf: ({ questions }) => questions ?? [],
};

/** The texts of a chunk, with its number. */
export interface NumberedText extends EmbeddableText {
  readonly no: number;
}

export interface TextSelection {
  readonly schema: string;
  readonly kind: TextKind;
  /** What follows the FROM clause, where the chunk is named `c`. */
  readonly rest: string;
  readonly values: readonly unknown[];
}

export async function selectTexts(
  session: Session,
  { schema, kind, rest, values }: TextSelection,
): Promise<readonly NumberedText[]> {
  const rows = await session.query<KindRow>(
    `SELECT c.no, c.id, c.heading, c.content, ${kind.column}
     FROM ${schema}.chunks c ${kind.join(schema)} ${rest}`,
    values,
  );
  return rows.map((row) => ({ no: row.no, chunkId: row.id, texts: kind.textsOf(row) }));
}

export const NEWEST_FIRST = 'ORDER BY c.created_at DESC, c.no DESC';

/** Without the number, which only this store knows. */
export function toEmbeddableText({ chunkId, texts }: NumberedText): EmbeddableText {
  return { chunkId, texts };
}
