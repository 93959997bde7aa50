import { httpProblem, isKey, type Problem, string, textWithout } from '../../schemas/config.js';
import { textWith } from '../../schemas/fields.js';
import type { EndpointConfig, EndpointName, Field } from './config.js';

type EndpointOption = `${EndpointName}.${keyof EndpointConfig}`;

/** The entries of the configuration that name endpoints of models; none is ever read from a project. */
export const ENDPOINT_FIELDS = {
  ...entries('embeddings', 'EMBEDDING', 'makes embeddings, instead of a local model'),
  ...entries('reranking', 'RERANK', 'reranks the first 20 results'),
  ...entries(
    'languageModel',
    'OPENAI',
    'is a small language model: questions, compaction, lessons',
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
 * The rule that a value breaks as the base URL of an endpoint; undefined if it is valid. The text never repeats the
 * value, which may contain a password. Host names are not resolved.
 */
export function endpointProblem(value: unknown): Problem {
  const problem = addressProblem(value, '; set the API key separately');
  if (problem !== undefined) return problem;
  const { search, hash, hostname } = new URL(String(value));
  if (search !== '' || hash !== '') return 'must end with its path, without a query or fragment';
  return LINK_LOCAL.test(hostname) ? 'must not be a link-local address' : undefined;
}

/**
 * The rule that an address of a model hub breaks. The address appears in logs, and fetch accepts no credentials in it.
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

/** In IPv4 and IPv6: there clouds serve the credentials of a machine. */
const LINK_LOCAL = /^169\.254\.\d+\.\d+\.?$|^\[fe[89ab][0-9a-f]:|^\[(?:::|::ffff:|64:ff9b::)a9fe:/;
