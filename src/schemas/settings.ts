import * as z from 'zod';
import { GLOB_SYNTAX, globProblem } from '../domain/glob.js';
import { GLOBS_MAX } from '../domain/limits.js';
import { isRecord } from '../domain/records.js';
import { DEFAULT_SETTINGS, SETTINGS_KEY, type Settings, STALE_CHUNKS } from '../domain/settings.js';
import { flag, oneValue, share, wholeNumber } from './fields.js';

/** The settings, and one sentence for each invalid entry, which gets its default. */
export interface ReadSettings {
  readonly settings: Settings;
  readonly problems: readonly string[];
}

/**
 * Reads the value of the key `knowledgeStore`, entry by entry: a wrong value or an unknown name is
 * reported, and the default applies. `undefined` (no such key) means all defaults.
 */
export function readSettings(value: unknown): ReadSettings {
  if (value === undefined) return { settings: DEFAULT_SETTINGS, problems: [] };
  if (!isRecord(value)) {
    return { settings: DEFAULT_SETTINGS, problems: [`${SETTINGS_KEY} must be an object.`] };
  }
  const entries = Object.entries(value).map(([name, entry]) => ({
    name,
    entry,
    problem: findProblem(name, entry),
  }));
  const accepted = entries.flatMap(({ name, entry, problem }) =>
    problem === undefined ? [[name, entry] as const] : [],
  );
  return {
    settings: { ...DEFAULT_SETTINGS, ...Object.fromEntries(accepted) },
    problems: entries.flatMap(({ name, problem }) =>
      problem === undefined ? [] : [`${SETTINGS_KEY}.${name} ${problem}.`],
    ),
  };
}

const PATTERNS_RULE = `must be a list of at most ${GLOBS_MAX} patterns with ${GLOB_SYNTAX}`;

const patterns = z
  .array(z.string({ error: PATTERNS_RULE }), { error: PATTERNS_RULE })
  .refine(
    (globs) => globs.length <= GLOBS_MAX && globs.every((glob) => globProblem(glob) === undefined),
    { error: PATTERNS_RULE },
  );

type SettingName = Exclude<keyof Settings, 'problems'>;

const SETTINGS: Readonly<Record<SettingName, z.ZodType>> = {
  maxChunkSize: wholeNumber({ min: 1, max: 1_000_000 }),
  pieceSize: wholeNumber({ min: 1, max: 1_000_000 }),
  chunkOverlap: wholeNumber({ min: 0, max: 1_000_000 }),
  defaultImportance: share,
  autoReindex: flag,
  excludePatterns: patterns,
  includePatterns: patterns,
  ignore: flag,
  hybridRetrieval: flag,
  queryVectorTimeoutMs: wholeNumber({ min: 1, max: 60_000 }),
  staleChunks: oneValue(STALE_CHUNKS),
  sessions: flag,
};

function findProblem(name: string, value: unknown): string | undefined {
  if (REQUEST_FIELDS.includes(name)) return 'is a field of a search request, not a setting';
  if (!isSetting(name)) return 'is not a setting';
  return SETTINGS[name].safeParse(value).error?.issues[0]?.message;
}

/** Former settings, which are now fields of a search request. */
const REQUEST_FIELDS = ['fusion', 'candidates'];

function isSetting(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}
