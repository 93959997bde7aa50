import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EMBEDDING_DIMENSIONS } from '../../src/domain/limits.js';

/** The name of the tiny model. */
export const TINY_MODEL = 'tests/tiny-model';

/** The vocabulary of the tiny model; every other word is the unknown token. */
const TINY_WORDS = ['apple', 'banana', 'cherry', 'disk', 'engine', 'forest'] as const;

/**
 * The files of a sentence transformer small enough to be built by a test, with the names that the hub uses. Its
 * `last_hidden_state` is one row of a fixed table per token, independent of context.
 */
export function tinyModelFiles(): ReadonlyMap<string, Buffer> {
  return new Map([
    ['config.json', json({ model_type: 'bert', architectures: ['BertModel'] })],
    ['tokenizer.json', json(tokenizer())],
    ['tokenizer_config.json', json({ tokenizer_class: 'BertTokenizer', model_max_length: 512 })],
    ['onnx/model_quantized.onnx', onnxModel(table())],
  ]);
}

/**
 * Writes the files of the tiny model.
 * @param others additional files, or replacements for its own, as values to write as JSON
 * @param name with the name of the default model, the embedder uses that model's measured scale of relevance
 */
export async function writeTinyModel(
  modelsDirectory: string,
  others: Readonly<Record<string, unknown>> = {},
  name: string = TINY_MODEL,
): Promise<void> {
  const folder = join(modelsDirectory, name);
  const files = new Map(tinyModelFiles());
  for (const [name, value] of Object.entries(others)) files.set(name, json(value));
  for (const [name, content] of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

/** The token ids of a text in lower case, without the special tokens. */
export function tinyTokens(text: string): readonly number[] {
  const words = text.split(' ').filter((word) => word !== '');
  return words.map((word) => Math.max(VOCABULARY.indexOf(word), VOCABULARY.indexOf('[UNK]')));
}

/** The row of the table, which is the model's output for a token. */
export function tinyRow(token: number): Float32Array {
  return Float32Array.from({ length: EMBEDDING_DIMENSIONS }, (_, column) =>
    Math.sin((token + 1) * (column + 1)),
  );
}

const VOCABULARY: readonly string[] = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', ...TINY_WORDS];
/** Ids of the tokens around every text. */
export const TINY_SPECIAL = { first: 2, last: 3 } as const;

function tokenizer(): object {
  const special = (id: number) => ({ id, content: VOCABULARY[id], special: true });
  return {
    version: '1.0',
    added_tokens: [0, 1, 2, 3, 4].map(special),
    normalizer: { type: 'BertNormalizer', clean_text: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [
        { SpecialToken: { id: '[CLS]', type_id: 0 } },
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '[SEP]', type_id: 0 } },
      ],
    },
    decoder: { type: 'WordPiece', prefix: '##' },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(VOCABULARY.map((word, id) => [word, id])),
    },
  };
}

function table(): Float32Array {
  return Float32Array.from(VOCABULARY.flatMap((_, token) => [...tinyRow(token)]));
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

// ONNX is protobuf. The field numbers are those of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.

const FLOAT = 1;
const INT64 = 7;

function onnxModel(rows: Float32Array): Buffer {
  const tensor = [
    number(1, VOCABULARY.length),
    number(1, EMBEDDING_DIMENSIONS),
    number(2, FLOAT),
    text(8, 'table'),
    bytes(9, Buffer.from(rows.buffer)),
  ];
  const gather = [
    text(1, 'table'),
    text(1, 'input_ids'),
    text(2, 'last_hidden_state'),
    text(4, 'Gather'),
  ];
  const inputs = ['input_ids', 'attention_mask', 'token_type_ids'];
  const graph = [
    message(1, gather),
    text(2, 'tiny'),
    message(5, tensor),
    ...inputs.map((name) => message(11, value(name, INT64, ['batch', 'tokens']))),
    message(12, value('last_hidden_state', FLOAT, ['batch', 'tokens', EMBEDDING_DIMENSIONS])),
  ];
  const opset = number(2, 13);
  return Buffer.concat([number(1, 7), message(7, graph), message(8, [opset])]);
}

/** A ValueInfoProto: name, type and shape of a tensor. */
function value(name: string, type: number, shape: readonly (string | number)[]): readonly Buffer[] {
  const dimensions = shape.map((size) =>
    message(1, [typeof size === 'number' ? number(1, size) : text(2, size)]),
  );
  return [text(1, name), message(2, [message(1, [number(1, type), message(2, dimensions)])])];
}

function message(field: number, parts: readonly Buffer[]): Buffer {
  return bytes(field, Buffer.concat(parts));
}

function text(field: number, content: string): Buffer {
  return bytes(field, Buffer.from(content));
}

function bytes(field: number, content: Buffer): Buffer {
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
}

function number(field: number, content: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(content)]);
}

function varint(content: number): Buffer {
  const rest = Math.floor(content / 128);
  return rest === 0
    ? Buffer.from([content])
    : Buffer.concat([Buffer.from([(content % 128) + 128]), varint(rest)]);
}
