import { createHash } from 'node:crypto';

/** Raised with each change to the schema. */
export const SCHEMA_VERSION = 8;

/**
 * The schema name of a project, with the version, so that releases with different tables can share a database. It needs
 * no quoting in SQL.
 */
export function schemaName(projectKey: string): string {
  const hash = createHash('sha256').update(projectKey).digest('hex').slice(0, HASH_CHARACTERS);
  return `${PREFIX}${hash}_${SCHEMA_VERSION}`;
}

/** The beginning of a project's schema names in every version. */
export function schemaNamePrefix(schema: string): string {
  return schema.slice(0, PREFIX.length + HASH_CHARACTERS);
}

const PREFIX = 'p_';
const HASH_CHARACTERS = 20;

/**
 * The statements that create the schema of a project.
 *
 * `word_positions` are the tokens of heading and content, in the form in which they are compared, with a gap between
 * the two, so that no phrase spans both. They are derived from the text. Other tables refer to a chunk by its number,
 * because its id changes when it moves within its source. `citations` describe the cited lines when the chunk was
 * written, and their current state; `supersessions` are the sources that replace another one; `names` find sources by
 * other words than their texts; `lines` are the lines on which chunks begin; `kept_vectors` belong to texts that no
 * chunk has any more; `compared` is the sum of a vector and its weighted header, if there is one.
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
