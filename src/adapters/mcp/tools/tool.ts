import { isAbsolute } from 'node:path';
import type * as z from 'zod';
import { FIELDS } from '../../../domain/fields.js';
import { isRecord } from '../../../domain/records.js';
import type { Watching } from '../../../ports/driving/ingestion-service.js';
import { readFields } from '../../../schemas/checks.js';
import { projectPath, wholeNumber } from '../../../schemas/fields.js';
import { DEFAULT_ANSWER_RESULTS, DEFAULT_ANSWER_TOKENS } from '../limits.js';

/** One tool, as data: everything that is needed to list it and to call it. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For the model: what the tool does, and when to use it. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** What it does to what the project knows. */
  readonly effect: 'reads' | 'writes' | 'deletes';
  /**
   * Checks the arguments of a call.
   * @throws KnowledgeError `invalid_request`, whose sentence names the first wrong argument
   */
  readonly prepare: (args: unknown) => PreparedCall;
}

/** A call with checked arguments that waits to know its project. */
export interface PreparedCall {
  /** The project that the arguments name. */
  readonly project: string | undefined;
  /** @throws KnowledgeError */
  readonly run: (projectPath: string, watching: Watching) => Promise<ToolAnswer>;
}

/** The same twice: as text for a model, and as data for a program. */
export interface ToolAnswer {
  readonly text: string;
  readonly structured: object;
}

interface ToolDefinition<Input extends z.ZodObject> extends Omit<Tool, 'prepare'> {
  readonly input: Input;
  readonly answer: (
    projectPath: string,
    input: NoInfer<z.output<Input>>,
    watching: Watching,
  ) => Promise<ToolAnswer>;
}

/** A tool whose arguments are checked against their schema. */
export function tool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  const { answer, ...rest } = definition;
  return {
    ...rest,
    prepare: (args) => {
      const fields = readFields(definition.input, namedAsArguments(args));
      return {
        project: projectIn(fields),
        run: (project, watching) => answer(project, fields, watching),
      };
    },
  };
}

function projectIn(fields: Readonly<Record<string, unknown>>): string | undefined {
  return typeof fields['project'] === 'string' ? fields['project'] : undefined;
}

/** The arguments that several tools take; those of one tool are the fields of its route. */

export const project = projectPath
  .refine(isAbsolute, { error: 'must be the absolute path of a project directory' })
  .describe('Absolute path of the project; default: the one that you work in.')
  .exactOptional();

export const maxTokens = wholeNumber(FIELDS.maxTokens)
  .describe(`Token budget of the result; default ${DEFAULT_ANSWER_TOKENS}.`)
  .exactOptional();

export const maxResults = wholeNumber(FIELDS.maxResults)
  .describe(`Default ${DEFAULT_ANSWER_RESULTS}.`)
  .exactOptional();

/**
 * The arguments by the names that the tools list. Models also use the names of the REST API
 * (`maxTokens`, `projectPath`), which mean the same.
 */
function namedAsArguments(args: unknown): unknown {
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
