import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from '../../../domain/errors.js';
import { EMBEDDING_DIMENSIONS, EMBEDDING_WINDOW_TOKENS } from '../../../domain/limits.js';
import { isRecord } from '../../../domain/records.js';

/** How a sentence model is to be used, according to its own files. */
export interface ModelSettings {
  /** How the vectors of tokens become the vector of a text: by their mean, or as the first of them. */
  readonly pooling: 'mean' | 'cls';
  /** Whether the tokens of a prompt are included in the mean. */
  readonly poolsPrompt: boolean;
  /** Whether the vectors of windows are scaled to length 1 before they are averaged. */
  readonly normalizes: boolean;
  readonly lowersCase: boolean;
  /** Maximum length of the input in tokens, including the two special ones. */
  readonly maxTokens: number;
  /** Prefixes of texts by role; empty for a model without prompts. */
  readonly prompts: Readonly<Record<TextRole, string>>;
}

/** The role of a text. Models with prompts embed a query differently from the passages that it is compared with. */
export type TextRole = 'query' | 'passage';

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads the settings of the model in a folder, in the layout of sentence-transformers. Missing settings are as in the
 * default model: mean pooling, normalized, no prompts, at most 256 tokens.
 * @throws Error with the reason, as the middle of a sentence, if the model cannot be used
 */
export async function readModelSettings(folder: string): Promise<ModelSettings> {
  const json = (file: string): Promise<Json> => readJson(folder, file);
  const [config, pooling, sentence, tokenizer, prompts] = await Promise.all([
    json('config.json'),
    json('1_Pooling/config.json'),
    json('sentence_bert_config.json'),
    json('tokenizer_config.json'),
    json('config_sentence_transformers.json'),
  ]);
  const modules = await readModules(folder);
  const normalizes = modules === undefined || modules.includes('Normalize');
  checkDimensions(config['hidden_size']);
  checkDimensions(pooling['word_embedding_dimension']);
  checkModules(modules ?? []);
  const isNormalized = modules?.includes('Normalize') === true;
  checkSimilarity(prompts['similarity_fn_name'], isNormalized ? ['cosine', 'dot'] : ['cosine']);
  return {
    pooling: readPooling(pooling),
    poolsPrompt: pooling['include_prompt'] !== false,
    normalizes,
    lowersCase: sentence['do_lower_case'] === true,
    maxTokens: readMaxTokens({ config, sentence, tokenizer }),
    prompts: readPrompts(prompts),
  };
}

/** The object in a JSON file; empty if the file does not exist. @throws Error if it is not an object */
async function readJson(folder: string, file: string): Promise<Json> {
  const value = await parseFile(folder, file);
  if (value === undefined) return {};
  if (isRecord(value)) return value;
  throw new Error(`its ${file} is not a JSON object`);
}

async function parseFile(folder: string, file: string): Promise<unknown> {
  const text = await readFile(join(folder, file), 'utf8').catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`its ${file} is not JSON`);
  }
}

/** The names of the steps from text to vector; undefined if no file lists them. */
async function readModules(folder: string): Promise<readonly string[] | undefined> {
  const value = await parseFile(folder, 'modules.json');
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw new Error('its modules.json is not a list');
  return value.map((entry) => {
    const type = isRecord(entry) ? entry['type'] : undefined;
    return String(type).split('.').at(-1) ?? '';
  });
}

const KNOWN_MODULES: ReadonlySet<string> = new Set([
  'Transformer',
  'Pooling',
  'Normalize',
  'Dropout',
]);

function checkModules(names: readonly string[]): void {
  const unknown = names.find((name) => !KNOWN_MODULES.has(name));
  if (unknown !== undefined) {
    throw new Error(`its modules.json asks for a step that is not supported here: ${unknown}`);
  }
}

function checkDimensions(dimensions: unknown): void {
  if (dimensions === undefined || dimensions === EMBEDDING_DIMENSIONS) return;
  throw new Error(
    `its vectors have ${dimensions} values instead of ${EMBEDDING_DIMENSIONS}; choose a model with ${EMBEDDING_DIMENSIONS} dimensions`,
  );
}

/** @param supported the functions that are equivalent to cosine: for unit vectors, also the dot product */
function checkSimilarity(name: unknown, supported: readonly string[]): void {
  if (name === undefined || name === null || supported.includes(String(name))) return;
  throw new Error(`its vectors must be compared by ${name}, but only cosine is supported here`);
}

const MODE = /^pooling_mode_(.+?)(?:_tokens?)?$/;

/** Reads the pooling mode. Some files have one flag per mode, others the name of the mode. */
function readPooling(config: Json): ModelSettings['pooling'] {
  const flags = Object.entries(config).filter(([name, value]) => MODE.test(name) && value === true);
  const modes = flags.map(([name]) => MODE.exec(name)?.[1] ?? '');
  const named = config['pooling_mode'];
  const mode = typeof named === 'string' ? named : modes.join(' and ');
  if (mode === '' && !Object.keys(config).some((name) => MODE.test(name))) return 'mean';
  if (mode === 'mean' || mode === 'cls') return mode;
  throw new Error(
    mode === ''
      ? 'its 1_Pooling/config.json turns off every kind of pooling'
      : `its pooling is ${mode}; only mean and cls are supported here`,
  );
}

/** Maximum length if no file gives another: the window of the specification and the special tokens. */
const DEFAULT_MAX_TOKENS = EMBEDDING_WINDOW_TOKENS + 2;

interface LengthFiles {
  readonly config: Json;
  readonly sentence: Json;
  readonly tokenizer: Json;
}

function readMaxTokens({ config, sentence, tokenizer }: LengthFiles): number {
  const asked = readLength(sentence, 'max_seq_length') ?? DEFAULT_MAX_TOKENS;
  const positions = readLength(config, 'max_position_embeddings') ?? asked;
  const reserved = RESERVING.has(config['model_type']) ? 2 : 0;
  const tokens = readLength(tokenizer, 'model_max_length') ?? asked;
  return Math.min(asked, positions - reserved, tokens);
}

/** Models that count positions from 2, and so have two fewer. */
const RESERVING: ReadonlySet<unknown> = new Set(['roberta', 'xlm-roberta', 'camembert', 'mpnet']);

function readLength(file: Json, name: string): number | undefined {
  const value = file[name];
  return typeof value === 'number' && value >= 1 ? Math.floor(value) : undefined;
}

function readPrompts(file: Json): ModelSettings['prompts'] {
  const prompts = isRecord(file['prompts']) ? file['prompts'] : {};
  const byDefault = findPrompt(prompts, [String(file['default_prompt_name'])]) ?? '';
  return {
    query: findPrompt(prompts, ['query']) ?? byDefault,
    passage: findPrompt(prompts, ['document', 'passage', 'corpus']) ?? byDefault,
  };
}

function findPrompt(prompts: Json, names: readonly string[]): string | undefined {
  const texts = names.map((name) => (Object.hasOwn(prompts, name) ? prompts[name] : undefined));
  return texts.find((text) => typeof text === 'string');
}
