import { isModelName, oneWord, switching, textWithout } from '../../schemas/config.js';
import { textWith } from '../../schemas/fields.js';
import { type Field, RUNTIMES } from './config.js';
import { modelHostProblem } from './endpoints.js';

/** Which models run on this machine, in which runtime, and where they come from. */
export const MODEL_FIELDS = {
  model: {
    variable: 'KNOWLEDGE_MODEL',
    option: 'model',
    help: 'embedding model, owner/name as on the hub',
    byDefault: 'Xenova/all-MiniLM-L6-v2',
    schema: textWith(isModelName, 'must be owner/name as on the hub'),
  },
  reranker: {
    variable: 'KNOWLEDGE_RERANKER',
    option: 'reranker',
    help: 'local cross-encoder that reranks close results, owner/name as on the hub, for example Xenova/ms-marco-MiniLM-L-6-v2',
    schema: textWith(isModelName, 'must be owner/name as on the hub'),
  },
  runtime: {
    variable: 'KNOWLEDGE_RUNTIME',
    option: 'runtime',
    help: 'runtime of the local model: wasm, native (onnxruntime-node, if it is installed) or auto',
    byDefault: 'wasm',
    schema: oneWord(RUNTIMES),
  },
  modelHost: {
    variable: 'KNOWLEDGE_MODEL_HOST',
    option: 'modelHost',
    help: 'hub or mirror to download the model from',
    byDefault: 'https://huggingface.co',
    schema: textWithout(modelHostProblem),
    shown: 'secret',
  },
  downloads: {
    variable: 'KNOWLEDGE_OFFLINE',
    option: 'downloads',
    help: '1 forbids downloads; a model already in DATA_DIR/models is still used',
    byDefault: 'allowed',
    defaultText: '0',
    ...switching('forbidden', 'allowed'),
    kind: 'guard',
  },
} as const satisfies Record<string, Field>;
