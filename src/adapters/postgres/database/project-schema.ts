import { createHash } from 'node:crypto';

/** Raised with each change to the schema. */
export const SCHEMA_VERSION = 8;

/**
 * The schema name of a project. Contains the version, so that releases with different tables can share a database.
 * Needs no quoting in SQL.
 */
export function schemaName(projectKey: string): string {
  const hash = createHash('sha256').update(projectKey).digest('hex').slice(0, HASH_CHARACTERS);
  return `${PREFIX}${hash}_${SCHEMA_VERSION}`;
}

/** The prefix that a project's schema names have in every version. */
export function schemaNamePrefix(schema: string): string {
  return schema.slice(0, PREFIX.length + HASH_CHARACTERS);
}

const PREFIX = 'p_';
const HASH_CHARACTERS = 20;

/**
 * The statements that create the schema of a project.
 *
 * Other tables refer to a chunk by its number, because its id changes when it moves within its source.
 * - `word_positions`: tokens of heading and content, as they are compared. A gap keeps phrases from spanning both.
 * - `supersessions`: the sources that replace another one.
 * - `citations`: the lines that a chunk cited when it was written, and their current state.
 * - `names`: words other than its text by which a source is found.
 * - `lines`: the line on which each chunk begins.
 * - `kept_vectors`: vectors of texts that are no longer in any chunk.
 * - `compared`: the sum of a vector and the weighted vector of its header, if there is one.
 */
export function createSchema(schema: string): string {
  return `
    CREATE SCHEMA ${schema};
    CREATE TABLE ${schema}.chunks (
      no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text NOT NULL UNIQUE DEFERRABLE INITIALLY DEFERRED,
      source_type text NOT NULL,
      source_file text NOT NULL,
      chunk_index integer NOT NULL,
      heading text,
      content text NOT NULL,
      tags jsonb,
      importance double precision NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      word_count integer NOT NULL DEFAULT 0,
      word_positions tsvector,
      bigram_count integer NOT NULL DEFAULT 0,
      bigram_positions tsvector
    );
    CREATE INDEX ON ${schema}.chunks (source_file, chunk_index);
    CREATE INDEX ON ${schema}.chunks (created_at, no);
    CREATE INDEX ON ${schema}.chunks (word_count) WHERE word_positions IS NOT NULL;
    CREATE INDEX ON ${schema}.chunks USING gin (word_positions) WITH (fastupdate = off);
    CREATE INDEX ON ${schema}.chunks USING gin (bigram_positions)
      WITH (fastupdate = off) WHERE bigram_positions IS NOT NULL;
    CREATE TABLE ${schema}.sources (
      source_file text PRIMARY KEY,
      source_type text NOT NULL,
      content_hash text NOT NULL,
      chunk_count integer NOT NULL,
      expires text
    );
    CREATE INDEX ON ${schema}.sources (expires) WHERE expires IS NOT NULL;
    CREATE TABLE ${schema}.supersessions (
      source_file text PRIMARY KEY REFERENCES ${schema}.sources ON DELETE CASCADE,
      supersedes text NOT NULL
    );
    CREATE TABLE ${schema}.retrievals (
      chunk_no bigint PRIMARY KEY REFERENCES ${schema}.chunks ON DELETE CASCADE,
      retrieval_count integer NOT NULL DEFAULT 0,
      last_retrieved_at timestamptz
    ) WITH (fillfactor = 70);
    CREATE TABLE ${schema}.questions (
      chunk_no bigint PRIMARY KEY REFERENCES ${schema}.chunks ON DELETE CASCADE,
      texts text[] NOT NULL
    );
    CREATE TABLE ${schema}.content_vectors (
      chunk_no bigint PRIMARY KEY REFERENCES ${schema}.chunks ON DELETE CASCADE,
      model text NOT NULL,
      vector vector NOT NULL,
      compared vector
    );
    CREATE TABLE ${schema}.question_vectors (
      chunk_no bigint PRIMARY KEY REFERENCES ${schema}.questions ON DELETE CASCADE,
      model text NOT NULL,
      vector vector NOT NULL,
      compared vector
    );
    CREATE TABLE ${schema}.citations (
      chunk_no bigint NOT NULL REFERENCES ${schema}.chunks ON DELETE CASCADE,
      place int NOT NULL,
      path text NOT NULL,
      file_hash text NOT NULL,
      first_line int,
      last_line int,
      lines_hash text,
      cited_at timestamptz NOT NULL,
      state text NOT NULL,
      moved_to int,
      PRIMARY KEY (chunk_no, place)
    );
    CREATE INDEX ON ${schema}.citations (path);
    CREATE TABLE ${schema}.names (
      source_file text PRIMARY KEY,
      header text NOT NULL,
      name_count integer NOT NULL,
      name_positions tsvector NOT NULL,
      model text,
      vector vector
    );
    CREATE INDEX ON ${schema}.names USING gin (name_positions) WITH (fastupdate = off);
    CREATE TABLE ${schema}.lines (
      chunk_no bigint PRIMARY KEY REFERENCES ${schema}.chunks ON DELETE CASCADE,
      line integer NOT NULL
    );
    CREATE TABLE ${schema}.kept_vectors (
      text_hash text NOT NULL,
      model text NOT NULL,
      vector vector NOT NULL,
      kept_at timestamptz NOT NULL,
      PRIMARY KEY (text_hash, model)
    );
    CREATE INDEX ON ${schema}.kept_vectors (kept_at);
    CREATE TABLE ${schema}.leases (
      name text PRIMARY KEY,
      holder text NOT NULL,
      expires_at timestamptz NOT NULL
    );`;
}
