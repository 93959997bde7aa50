import { isAbsolute } from 'node:path';
import { FIELDS } from '../../../domain/fields.js';
import { isRecord } from '../../../domain/records.js';
import { projectPath, wholeNumber } from '../../../schemas/fields.js';
import { DEFAULT_ANSWER_RESULTS, DEFAULT_ANSWER_TOKENS } from '../limits.js';

/** The arguments that several tools take; those of one tool are the fields of its route. */

export const project = projectPath
  .refine(isAbsolute, { error: 'must be the absolute path of a project directory' })
  .describe(
    'Absolute path of the project. Leave it out to use the first root of the client, or else the working directory of the server.',
  )
  .exactOptional();

export const maxTokens = wholeNumber(FIELDS.maxTokens)
  .describe(`Token budget of the result; default ${DEFAULT_ANSWER_TOKENS}.`)
  .exactOptional();

export const maxResults = wholeNumber(FIELDS.maxResults)
  .describe(`Maximum number of chunks; default ${DEFAULT_ANSWER_RESULTS}.`)
  .exactOptional();

/**
 * The arguments by the names that the tools list. Models also use the names of the REST API
 * (`maxTokens`, `projectPath`), which mean the same.
 */
export function namedAsArguments(args: unknown): unknown {
  if (!isRecord(args)) return args;
  const renamed = Object.entries(args).map(([name, value]) => [argumentName(name), value]);
  return { ...Object.fromEntries(renamed), ...args };
}

/** A sentence about fields of the REST API, with the names of the arguments. */
export function aboutArguments(sentence: string): string {
  return sentence.replace(/\b(projectPath|featureId|sourceFile|maxResults)\b/g, argumentName);
}

function argumentName(name: string): string {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return snake === 'project_path' ? 'project' : snake;
}
