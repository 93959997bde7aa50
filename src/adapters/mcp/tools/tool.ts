import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { FIELDS } from '../../../domain/fields.js';
import { isRecord } from '../../../domain/records.js';
import type { Watching } from '../../../ports/driving/ingestion-service.js';
import { readFields } from '../../../schemas/checks.js';
import { projectPath, wholeNumber } from '../../../schemas/fields.js';
import { DEFAULT_ANSWER_RESULTS, DEFAULT_ANSWER_TOKENS } from '../answers/budget.js';

/** One tool, as data: everything that is needed to list it and to call it. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For the model: what the tool does, and when to use it. */
  readonly description: string;
  /** The arguments as they are listed. */
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
interface PreparedCall {
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

interface ToolDefinition<Request extends z.ZodRawShape> extends Omit<Tool, 'input' | 'prepare'> {
  /** The fields of the matching route; every tool takes a project besides. */
  readonly request: Request;
  readonly answer: (
    projectPath: string,
    fields: NoInfer<Omit<z.output<z.ZodObject<Request>>, 'projectPath'>>,
    watching: Watching,
  ) => Promise<ToolAnswer>;
}

/** A tool whose arguments are the fields of a route, in snake case, with the same checks. */
export function tool<Request extends z.ZodRawShape>(definition: ToolDefinition<Request>): Tool {
  const { request, answer, ...rest } = definition;
  const schema = z.object({ ...request, projectPath: project });
  const listed = Object.entries(schema.shape).map(([name, field]) => [argumentName(name), field]);
  return {
    ...rest,
    input: z.object(Object.fromEntries(listed)),
    prepare: (args) => {
      const { projectPath, ...fields } = readFields(schema, withFieldNames(args)) as Given<Request>;
      return {
        project: projectPath,
        run: (project, watching) => answer(project, fields, watching),
      };
    },
  };
}

type Given<Request extends z.ZodRawShape> = z.output<z.ZodObject<Request>> & {
  readonly projectPath: string | undefined;
};

const project = projectPath
  .refine(isAbsolute, { error: 'must be the absolute path of a project directory' })
  .describe('Absolute path of the project; default: the one that you work in.')
  .exactOptional();

export const maxTokens = wholeNumber(FIELDS.maxTokens)
  .describe(`Token budget of the result; default ${DEFAULT_ANSWER_TOKENS}.`)
  .exactOptional();

export const maxResults = wholeNumber(FIELDS.maxResults)
  .describe(`Default ${DEFAULT_ANSWER_RESULTS}.`)
  .exactOptional();

/** Models use the names of the fields as well (`maxTokens`, `projectPath`), which mean the same. */
function withFieldNames(args: unknown): unknown {
  if (!isRecord(args)) return args;
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [fieldName(name), value]));
}

function fieldName(argument: string): string {
  if (argument === 'project') return 'projectPath';
  return argument.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function argumentName(field: string): string {
  if (field === 'projectPath') return 'project';
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
