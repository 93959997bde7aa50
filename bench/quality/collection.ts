import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EMBEDDING_DIMENSIONS } from '../../src/domain/limits.js';
import { normalize, type Vector } from '../../src/domain/ranking/vector.js';
import { readHalfFloats } from './half-floats.js';

export interface CorpusDocument {
  readonly id: string;
  /** Empty if the document has no title. */
  readonly title: string;
  readonly text: string;
  /** The path of its file, if several documents can come from one file; absent if the set names none. */
  readonly path?: string;
  /** Has length 1; absent if the set has no vectors. */
  readonly vector?: Vector;
}

export interface CollectionQuery {
  readonly id: string;
  readonly text: string;
  /** Empty for a query without judgments. */
  readonly relevant: ReadonlySet<string>;
  /** Documents to remove from the query's ranking (`metadata.exclude`). */
  readonly excluded: ReadonlySet<string>;
  readonly vector?: Vector;
}

/** A test collection in BEIR format (bench/quality/README.md, "Adding a set"). */
export interface Collection {
  readonly name: string;
  /** First 16 digits of the SHA-256 of corpus, queries and judgments. */
  readonly fingerprint: string;
  readonly documents: readonly CorpusDocument[];
  readonly queries: readonly CollectionQuery[];
}

const CORPUS = 'corpus.jsonl';
const QUERIES = 'queries.jsonl';
const JUDGMENTS = 'qrels.tsv';

/** Sets that use the vectors of another set, which has the same documents and queries. */
const VECTORS_OF: Readonly<Record<string, string>> = { 'aiom-deps': 'aiom-own' };

/** The folders of `data` that contain a collection, by name. */
export function collectionNames(data: string): readonly string[] {
  return readdirSync(data)
    .filter((name) =>
      [CORPUS, QUERIES, JUDGMENTS].every((file) => existsSync(join(data, name, file))),
    )
    .toSorted();
}

export function readCollection(data: string, name: string): Collection {
  const folder = join(data, name);
  const vectors = join(data, VECTORS_OF[name] ?? name);
  const documentVectors = readVectors(join(vectors, CORPUS), join(vectors, 'vectors.docs.f16'));
  const queryVectors = readVectors(join(vectors, QUERIES), join(vectors, 'vectors.queries.f16'));
  const relevant = readJudgments(join(folder, JUDGMENTS));
  return {
    name,
    fingerprint: fingerprintOf([CORPUS, QUERIES, JUDGMENTS].map((file) => join(folder, file))),
    documents: readLines(join(folder, CORPUS)).map((line) => ({
      id: String(line['_id']),
      title: String(line['title'] ?? '').trim(),
      text: String(line['text']),
      ...present('path', headerOf(line['metadata'])),
      ...present('vector', documentVectors.get(String(line['_id']))),
    })),
    queries: readLines(join(folder, QUERIES)).map((line) => ({
      id: String(line['_id']),
      text: String(line['text']),
      relevant: relevant.get(String(line['_id'])) ?? new Set(),
      excluded: new Set(excludedBy(line['metadata'])),
      ...present('vector', queryVectors.get(String(line['_id']))),
    })),
  };
}

/** A collection as it is while vectors are being computed: three in ten documents have none yet. */
export function withoutSomeVectors(collection: Collection): Collection {
  const documents = collection.documents.map((document, index) => {
    const { vector: _, ...rest } = document;
    return [1, 4, 7].includes(index % 10) ? rest : document;
  });
  return { ...collection, documents };
}

type Line = Readonly<Record<string, unknown>>;

/** Parses a file with one JSON object per line. The caller asserts the type, which is not checked. */
export function readLines<T = Line>(path: string): readonly T[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}

/** Reads vectors. The vector on line n belongs to the id on line n of the file of ids. */
function readVectors(idsPath: string, vectorsPath: string): ReadonlyMap<string, Vector> {
  if (!existsSync(vectorsPath)) return new Map();
  const values = readHalfFloats(readFileSync(vectorsPath));
  const lines = readLines(idsPath);
  if (values.length !== lines.length * EMBEDDING_DIMENSIONS) {
    throw new Error(`${vectorsPath} does not have one vector per line of ${idsPath}.`);
  }
  return new Map(
    lines.flatMap((line, index) => {
      const start = index * EMBEDDING_DIMENSIONS;
      const vector = normalize(values.subarray(start, start + EMBEDDING_DIMENSIONS));
      return vector === undefined ? [] : [[String(line['_id']), vector]];
    }),
  );
}

/** Reads tab-separated query, document and score, after a header line. A score above 0 means relevant. */
function readJudgments(path: string): ReadonlyMap<string, ReadonlySet<string>> {
  const relevant = new Map<string, Set<string>>();
  for (const line of readFileSync(path, 'utf8').split('\n').slice(1)) {
    const [query = '', document = '', score = '0'] = line.trim().split('\t');
    if (Number(score) <= 0) continue;
    relevant.set(query, (relevant.get(query) ?? new Set()).add(document));
  }
  return relevant;
}

function headerOf(metadata: unknown): string | undefined {
  const header = (metadata as { readonly header?: unknown } | undefined)?.header;
  return typeof header === 'string' ? header : undefined;
}

function excludedBy(metadata: unknown): readonly string[] {
  const exclude = (metadata as { readonly exclude?: unknown } | undefined)?.exclude;
  return Array.isArray(exclude) ? exclude.map(String) : [];
}

function fingerprintOf(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(readFileSync(path));
  return hash.digest('hex').slice(0, 16);
}

function present<K extends string, V>(key: K, value: V | undefined): { readonly [key in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [key in K]: V });
}
