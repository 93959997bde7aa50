import { isText } from '../../domain/value-rule.js';
import { endpointProblem } from './endpoint-rule.js';
import type { Field, OptionPath } from './field.js';
import { isKey, unless } from './value-rules.js';

/** The entries of the configuration that name endpoints of models; none is ever read from a project. */
export const ENDPOINT_FIELDS = {
  embeddingsUrl: url(
    'EMBEDDING_BASE_URL',
    'embeddings.baseUrl',
    'endpoint that makes embeddings, instead of a local model',
  ),
  embeddingsKey: key('EMBEDDING_API_KEY', 'embeddings.apiKey'),
  embeddingsModel: model(
    'EMBEDDING_MODEL',
    'embeddings.model',
    'name of the embedding model at that endpoint',
  ),
  rerankingUrl: url(
    'RERANK_BASE_URL',
    'reranking.baseUrl',
    'endpoint of a reranker, which orders the first 20 results again',
  ),
  rerankingKey: key('RERANK_API_KEY', 'reranking.apiKey'),
  rerankingModel: model('RERANK_MODEL', 'reranking.model', 'name of the reranker at that endpoint'),
  languageModelUrl: url(
    'OPENAI_BASE_URL',
    'languageModel.baseUrl',
    'endpoint of a small language model, for questions, compaction and lessons',
  ),
  languageModelKey: key('OPENAI_API_KEY', 'languageModel.apiKey'),
  languageModelName: model(
    'OPENAI_MODEL',
    'languageModel.model',
    'name of the small language model at that endpoint',
  ),
} as const satisfies Record<string, Field>;

function url(variable: string, option: OptionPath, help: string) {
  return { variable, option, help, problem: endpointProblem, shown: 'secret' } as const;
}

function key(variable: string, option: OptionPath) {
  const help = 'API key of that endpoint; a local endpoint usually needs none';
  const problem = unless(isKey, 'must be printable ASCII without spaces');
  return { variable, option, help, problem, shown: 'secret' } as const;
}

function model(variable: string, option: OptionPath, help: string) {
  return {
    variable,
    option,
    help,
    problem: unless(isText, 'must be the name of a model'),
  } as const;
}
