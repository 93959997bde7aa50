import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type ModelSettings,
  readModelSettings,
} from '../../../src/adapters/transformers/model/model-settings.js';
import type { TransformersEmbedder } from '../../../src/adapters/transformers/model/transformers-embedder.js';
import {
  cosineSimilarity,
  normalize,
  normalizedMean,
  type Vector,
} from '../../../src/domain/ranking/vector.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { TINY_SPECIAL, tinyRow, tinyTokens, writeTinyModel } from '../../support/tiny-model.js';
import { useModels } from '../../support/tiny-model-embedder.js';

const { first, last } = TINY_SPECIAL;
const CLS = { word_embedding_dimension: 384, pooling_mode_cls_token: true };
const NO_NORMALIZE = [
  { type: 'sentence_transformers.models.Transformer' },
  { type: 'sentence_transformers.models.Pooling' },
];
/** What is published with these models, as far as it says how they are used. */
const BERT = { model_type: 'bert', hidden_size: 384, max_position_embeddings: 512 };
const NORMALIZE = [...NO_NORMALIZE, { type: 'sentence_transformers.models.Normalize' }];
const BGE_SMALL = {
  'config.json': BERT,
  '1_Pooling/config.json': { ...CLS, pooling_mode_mean_tokens: false },
  'sentence_bert_config.json': { max_seq_length: 512, do_lower_case: true },
  'modules.json': NORMALIZE,
};
const GTE_SMALL = {
  'config.json': BERT,
  '1_Pooling/config.json': { word_embedding_dimension: 384, pooling_mode_mean_tokens: true },
  'sentence_bert_config.json': { max_seq_length: 512, do_lower_case: false },
  'modules.json': NORMALIZE,
};
const MULTILINGUAL_E5 = {
  'config.json': { model_type: 'xlm-roberta', max_position_embeddings: 514 },
  'sentence_bert_config.json': { max_seq_length: 4096 },
  'config_sentence_transformers.json': {
    prompts: { query: 'query: ', passage: 'passage: ' },
    similarity_fn_name: 'cosine',
  },
};
const PROMPTS = { prompts: { query: 'apple apple ', passage: 'disk ' } };

const models = useModels();

describe('the vector of a model that asks for', () => {
  it('CLS pooling takes the first token', async () => {
    const embedder = await make({ '1_Pooling/config.json': CLS });
    expectSame(await embedder.embed('apple disk'), tinyRow(first));
  });

  it('prompts has that of its role before each text', async () => {
    const embedder = await make({ 'config_sentence_transformers.json': PROMPTS });
    expectSame(await embedder.embed('engine'), mean(tinyTokens('apple apple engine')));
    const [passage] = await embedder.embedBatch(['engine']);
    expectSame(passage as Vector, mean(tinyTokens('disk engine')));
  });

  it('prompts that do not count leaves their tokens out of the mean', async () => {
    const embedder = await make({
      'config_sentence_transformers.json': PROMPTS,
      '1_Pooling/config.json': { pooling_mode_mean_tokens: true, include_prompt: false },
    });
    const rows = [...tinyTokens('engine forest'), last].map(tinyRow);
    expectSame(await embedder.embed('engine forest'), normalizedMean(rows) as Vector);
  });

  it('short inputs averages windows of their length, each with the prompt', async () => {
    const embedder = await make({
      'sentence_bert_config.json': { max_seq_length: 7 },
      'config_sentence_transformers.json': { prompts: { query: 'disk ' } },
    });
    const text = 'apple banana cherry engine forest apple';
    const windows = ['disk apple banana cherry engine', 'disk cherry engine forest apple'];
    const expected = normalizedMean(windows.map((window) => mean(tinyTokens(window))));
    expectSame(await embedder.embed(text), expected as Vector);
  });

  it('no normalization averages windows as they are', async () => {
    const embedder = await make({
      'modules.json': NO_NORMALIZE,
      'sentence_bert_config.json': { max_seq_length: 4 },
    });
    const windows = ['apple banana', 'banana cherry'].map((text) => rawMean(tinyTokens(text)));
    expectSame(await embedder.embed('apple banana cherry'), normalizedMean(windows) as Vector);
  });

  it('lower case gets it', async () => {
    const embedder = await make({
      'sentence_bert_config.json': { do_lower_case: true },
    });
    expectSame(await embedder.embed('APPLE'), mean(tinyTokens('apple')));
  });
});

describe('a model that cannot be used', () => {
  it.each([
    ['config.json', { model_type: 'bert', hidden_size: 768 }, /768 values instead of 384/],
    ['1_Pooling/config.json', { word_embedding_dimension: 1024 }, /1024 values instead/],
    ['1_Pooling/config.json', { pooling_mode_max_tokens: true }, /its pooling is max;/],
    [
      '1_Pooling/config.json',
      { ...CLS, pooling_mode_mean_tokens: true },
      /its pooling is cls and mean;/,
    ],
    [
      '1_Pooling/config.json',
      { pooling_mode_mean_tokens: false },
      /turns off every kind of pooling/,
    ],
    ['1_Pooling/config.json', { pooling_mode: 'lasttoken' }, /its pooling is lasttoken;/],
    ['1_Pooling/config.json', [], /its 1_Pooling.config.json is not a JSON object/],
    ['modules.json', [{ type: 'sentence_transformers.models.Dense' }], /not supported here: Dense/],
    ['modules.json', {}, /its modules.json is not a list/],
    ['config_sentence_transformers.json', { similarity_fn_name: 'euclidean' }, /by euclidean,/],
    ['config_sentence_transformers.json', { similarity_fn_name: 'dot' }, /by dot,/],
    [
      'sentence_bert_config.json',
      { max_seq_length: 2 },
      /its longest input of 2 tokens leaves no room/,
    ],
  ])(
    'because of %s %j is refused when it is loaded, with a sentence',
    async (file, content, reason) => {
      const logger = new SilentLogger();
      const embedder = await make({ [file]: content }, { logger });
      await expect(embedder.embed('apple')).rejects.toThrow(reason);
      expect(embedder.status().state).toBe('failed');
      expect(embedder.status().failure).toMatch(/^The embedding model is not available: its .*\.$/);
      expect(JSON.stringify(logger.entries)).toMatch(/could not be loaded/);
    },
  );
});

it.each([
  ['background', 'warn'],
  ['foreground', 'info'],
] as const)('a failed load with batches in the %s is logged as %s', async (batches, level) => {
  const logger = new SilentLogger();
  const embedder = await make({ 'modules.json': {} }, { logger, batches });
  await expect(embedder.embed('apple')).rejects.toThrow('not a list');
  const message = 'The embedding model could not be loaded.';
  expect(logger.entries).toContainEqual(expect.objectContaining({ level, message }));
});

describe('the settings of a model', () => {
  const DEFAULTS: ModelSettings = {
    pooling: 'mean',
    poolsPrompt: true,
    normalizes: true,
    lowersCase: false,
    maxTokens: 256,
    prompts: { query: '', passage: '' },
  };

  it.each<[string, Readonly<Record<string, unknown>>, Partial<ModelSettings>]>([
    ['of the default model', { 'tokenizer_config.json': { model_max_length: 512 } }, {}],
    ['of bge-small', BGE_SMALL, { pooling: 'cls', maxTokens: 512, lowersCase: true }],
    ['of gte-small', GTE_SMALL, { maxTokens: 512 }],
    [
      'of a multilingual e5',
      MULTILINGUAL_E5,
      { maxTokens: 512, prompts: { query: 'query: ', passage: 'passage: ' } },
    ],
    [
      'with the name of the mode and a default prompt',
      {
        '1_Pooling/config.json': { pooling_mode: 'cls' },
        'config_sentence_transformers.json': {
          prompts: { search: 's: ', document: 'd: ', passage: 'p: ' },
          default_prompt_name: 'search',
        },
      },
      { pooling: 'cls', prompts: { query: 's: ', passage: 'd: ' } },
    ],
    [
      'with a tokenizer for short texts',
      { 'tokenizer_config.json': { model_max_length: 128 } },
      { maxTokens: 128 },
    ],
    [
      'with a tokenizer without a limit',
      { 'tokenizer_config.json': { model_max_length: 1e30 } },
      { maxTokens: 256 },
    ],
  ])('%s', async (_, files, expected) => {
    for (const [file, content] of Object.entries(files)) await write(file, content);
    expect(await readModelSettings(models.directory())).toEqual({ ...DEFAULTS, ...expected });
  });
});

async function make(
  files: Readonly<Record<string, unknown>>,
  options: Parameters<typeof models.make>[0] = {},
): Promise<TransformersEmbedder> {
  await writeTinyModel(models.directory(), files);
  return models.make(options);
}

async function write(file: string, content: unknown): Promise<void> {
  await mkdir(join(models.directory(), '1_Pooling'), { recursive: true });
  await writeFile(join(models.directory(), file), JSON.stringify(content));
}

/** The normalized mean over a text's tokens, special ones included. */
function mean(tokens: readonly number[]): Vector {
  return normalize(rawMean(tokens)) as Vector;
}

function rawMean(tokens: readonly number[]): Vector {
  const rows = [first, ...tokens, last].map(tinyRow);
  const sum = rows.reduce((total, row) => total.map((value, i) => value + (row[i] as number)));
  return sum.map((value) => value / rows.length);
}

function expectSame(vector: Vector, expected: Vector): void {
  expect(vector).toHaveLength(384);
  expect(cosineSimilarity(vector, expected)).toBeCloseTo(1, 6);
}
