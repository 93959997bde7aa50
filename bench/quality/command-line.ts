import { parseArgs } from 'node:util';
import type { ProjectSettings } from './bench-project.js';
import { MODE_NAMES, type ModeName } from './modes.js';
import type { PostgresTarget } from './postgres-project.js';

export interface Command {
  readonly data: string;
  /** If absent, every set in the folder. */
  readonly sets?: readonly string[];
  readonly modes: readonly ModeName[];
  readonly out: string;
  /** Adds the figures to `versions.jsonl` under this name; if absent, adds nothing. */
  readonly record?: string;
  readonly model: 'recorded' | 'real';
  readonly part: 'sets' | 'chunking' | 'relevance';
  /** Maximum chunk sizes to measure in the chunking part, in tokens. */
  readonly chunkTokens: readonly number[];
  /** Settings of the searched projects, in the format of `settings.json`. */
  readonly settings: ProjectSettings;
  /** `some`: three in ten documents have no vector yet. */
  readonly vectors: 'all' | 'some';
  readonly headers: 'embedded' | 'none';
  /** Whether documents become agent sessions. */
  readonly sessions: boolean;
  /** A PostgreSQL server to measure instead of SQLite. */
  readonly postgres?: PostgresTarget;
}

export const HELP = `Measures the quality of search on collections in the format of BEIR.

npm run bench:quality -- --data <folder> [options]

  --data <folder>         folder of sets: <set>/{corpus.jsonl,queries.jsonl,qrels.tsv}
  --sets a,b              these sets only (default: all)
  --modes a,b             these modes only (default: all that a set allows):
                          ${MODE_NAMES.join(', ')}
  --out <folder>          where report.json goes (default: bench/results/latest)
  --record <name>         add the figures to bench/quality/versions.jsonl, for the table of versions
  --embed                 embed with the real model: queries, and what has no vector of its own
  --headers               embed the titles and paths of files with the real model, in SQLite
  --sessions              write documents, which are conversations, as transcripts, and find them as sessions
  --missing-vectors       three documents in ten have no vector yet
  --chunking              judge the chunker on <data>/chunking-eval instead
  --relevance             judge whether relevance tells own questions from unrelated ones; with --embed, from nonsense too
  --chunk-tokens 250,500  limits of a chunk to try with --chunking (default: 500)
  --settings <json>       settings of the projects, such as '{"pieceSize":150}' with --chunking
  --postgres <url>        measure a PostgreSQL server instead of SQLite
  --help                  this text

bench/README.md defines sets, modes and metrics.`;

/**
 * Parses the arguments; undefined if `--help` is among them.
 * @throws Error that says what is wrong
 */
export function readCommand(args: readonly string[]): Command | undefined {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  if (values.help) return undefined;
  if (values.data === undefined) throw new Error('--data <folder> is missing.');
  const sets = values.sets === undefined ? undefined : listOf(values.sets);
  return {
    data: values.data,
    ...(sets !== undefined && { sets }),
    modes: chosen('--modes', values.modes, MODE_NAMES),
    out: values.out,
    ...(values.record !== undefined && { record: values.record }),
    model: values.embed ? 'real' : 'recorded',
    part: PARTS.find((part) => values[part]) ?? 'sets',
    settings: JSON.parse(values.settings),
    vectors: values['missing-vectors'] ? 'some' : 'all',
    headers: values.headers ? 'embedded' : 'none',
    sessions: values.sessions,
    ...(values.postgres !== undefined && {
      postgres: { url: values.postgres },
    }),
    chunkTokens: listOf(values['chunk-tokens']).map(tokens),
  };
}

const PARTS = ['chunking', 'relevance'] as const;

const OPTIONS = {
  data: { type: 'string' },
  sets: { type: 'string' },
  modes: { type: 'string' },
  record: { type: 'string' },
  out: { type: 'string', default: 'bench/results/latest' },
  embed: { type: 'boolean', default: false },
  chunking: { type: 'boolean', default: false },
  headers: { type: 'boolean', default: false },
  sessions: { type: 'boolean', default: false },
  'missing-vectors': { type: 'boolean', default: false },
  relevance: { type: 'boolean', default: false },
  'chunk-tokens': { type: 'string', default: '500' },
  settings: { type: 'string', default: '{}' },
  postgres: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

function listOf(text: string): readonly string[] {
  return text.split(',').map((item) => item.trim());
}

function chosen<T extends string>(
  option: string,
  text: string | undefined,
  known: readonly T[],
): readonly T[] {
  if (text === undefined) return known;
  const names = listOf(text);
  const unknown = names.find((name) => !known.some((item) => item === name));
  if (unknown !== undefined)
    throw new Error(`${option} must be one of ${known.join(', ')}, not "${unknown}".`);
  return known.filter((item) => names.includes(item));
}

function tokens(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--chunk-tokens must be whole numbers above 0, not "${text}".`);
}
