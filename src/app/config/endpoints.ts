import { httpProblem, isKey, type Problem, string, textWithout } from '../../schemas/config.js';
import { textWith } from '../../schemas/fields.js';
import type { EndpointConfig, EndpointName, Field } from './config.js';

type EndpointOption = `${EndpointName}.${keyof EndpointConfig}`;

/** The configuration entries for model endpoints, which are never read from a project. */
export const ENDPOINT_FIELDS = {
  ...entries('embeddings', 'EMBEDDING', 'computes embeddings, instead of a local model'),
  ...entries('reranking', 'RERANK', 'reranks the first 20 results'),
  ...entries(
    'languageModel',
    'OPENAI',
    'serves a small language model: questions, compaction, lessons',
  ),
} as Readonly<Record<EndpointOption, Field>>;

function entries(
  name: EndpointName,
  prefix: string,
  does: string,
): Readonly<Partial<Record<EndpointOption, Field>>> {
  return {
    [`${name}.baseUrl`]: {
      variable: `${prefix}_BASE_URL`,
      option: `${name}.baseUrl`,
      help: `endpoint that ${does}`,
      schema: textWithout(endpointProblem),
      shown: 'secret',
    },
    [`${name}.apiKey`]: {
      variable: `${prefix}_API_KEY`,
      option: `${name}.apiKey`,
      help: 'API key of that endpoint; a local endpoint usually needs none',
      schema: textWith(isKey, 'must be printable ASCII without spaces'),
      shown: 'secret',
    },
    [`${name}.model`]: {
      variable: `${prefix}_MODEL`,
      option: `${name}.model`,
      help: 'name of the model at that endpoint',
      schema: string('must be the name of a model'),
    },
  };
}

/**
 * Why a value is not a valid base URL; undefined if it is. Never repeats the value, which may contain a password, and
 * does not resolve host names.
 */
export function endpointProblem(value: unknown): Problem {
  const problem = addressProblem(value, '; set the API key separately');
  if (problem !== undefined) return problem;
  const { search, hash, hostname } = new URL(String(value));
  if (search !== '' || hash !== '') return 'must not have a query or fragment';
  return LINK_LOCAL.test(hostname) ? 'must not be a link-local address' : undefined;
}

/**
 * Why a value is not a valid address of a model hub. It must not contain credentials, because it is logged and `fetch`
 * rejects them.
 */
export function modelHostProblem(value: unknown): Problem {
  return addressProblem(value, '');
}

function addressProblem(value: unknown, advice: string): Problem {
  const problem = httpProblem(value);
  if (problem !== undefined) return problem;
  const { username, password } = new URL(String(value));
  return username + password === ''
    ? undefined
    : `must not contain a user name or password${advice}`;
}

/** IPv4 and IPv6 link-local addresses, at which clouds serve a machine's credentials. */
const LINK_LOCAL = /^169\.254\.\d+\.\d+\.?$|^\[fe[89ab][0-9a-f]:|^\[(?:::|::ffff:|64:ff9b::)a9fe:/;
