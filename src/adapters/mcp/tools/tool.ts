import { isAbsolute } from 'node:path';
import * as z from 'zod';
import type { CallOptions } from '../../../app/ingestion/source-reader.js';
import { MAX_RESULTS_RANGE, MAX_TOKENS_RANGE } from '../../../domain/limits.js';
import { isRecord } from '../../../domain/records.js';
import type { WorktreeText } from '../../../ports/project-directories.js';
import { readFields } from '../../../schemas/checks.js';
import { projectPath, wholeNumber } from '../../../schemas/fields.js';
import { tryParseJson } from '../../../shared/try-parse-json.js';
import { DEFAULT_ANSWER_RESULTS, DEFAULT_ANSWER_TOKENS } from '../answers/budget.js';

/** A tool as data: everything needed to list it and to call it. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For the model: the purpose of the tool, and when to use it. */
  readonly description: string;
  /** The arguments as they are listed. */
  readonly input: z.ZodObject;
  /** Its effect on the store. */
  readonly effect: 'reads' | 'writes' | 'deletes';
  /**
   * Checks the arguments of a call.
   * @throws KnowledgeError `invalid_request`, whose sentence names the first wrong argument
   */
  readonly prepare: (args: unknown) => PreparedCall;
}

/** How a call reports progress and is aborted, and the worktree from which it comes. */
export interface CallContext extends CallOptions {
  readonly worktreeText?: WorktreeText | undefined;
}

/** A call with checked arguments, whose project is not known yet. */
interface PreparedCall {
  /** The project that the arguments name; undefined if they name none. */
  readonly project: string | undefined;
  /**
   * Returns the answer as text for the model, with text of files fenced as data.
   * @throws KnowledgeError
   */
  readonly run: (projectPath: string, context: CallContext) => Promise<string>;
}

interface ToolDefinition<Request extends z.ZodRawShape> extends Omit<Tool, 'input' | 'prepare'> {
  /** The fields of the matching route; every tool also takes a project. */
  readonly request: Request;
  readonly answer: (
    projectPath: string,
    fields: NoInfer<Omit<z.output<z.ZodObject<Request>>, 'projectPath'>>,
    context: CallContext,
  ) => Promise<string>;
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
      const given = lenientFields(schema, withFieldNames(args));
      const { projectPath, ...fields } = readFields(schema, given) as Given<Request>;
      return {
        project: projectPath,
        run: (project, context) => answer(project, fields, context),
      };
    },
  };
}

type Given<Request extends z.ZodRawShape> = z.output<z.ZodObject<Request>> & {
  readonly projectPath: string | undefined;
};

const project = projectPath
  .refine(isAbsolute, { error: 'must be the absolute path of a project directory' })
  .describe('Absolute path; default: the current project.')
  .exactOptional();

export const maxTokens = wholeNumber(MAX_TOKENS_RANGE)
  .describe(`Token budget of the result; default ${DEFAULT_ANSWER_TOKENS}.`)
  .exactOptional();

export const maxResults = wholeNumber(MAX_RESULTS_RANGE)
  .describe(`Default ${DEFAULT_ANSWER_RESULTS}.`)
  .exactOptional();

/**
 * Repairs arguments. Models and clients write numbers, flags and lists as strings (`"5"`, `"True"`, `"[\"a\"]"`, `"a,
 * b"`), and fill arguments that they do not use with `""`, `"null"` or `[""]`.
 */
function lenientFields({ shape }: z.ZodObject, fields: unknown): unknown {
  if (fields === undefined || fields === null) return {};
  if (!isRecord(fields)) return fields;
  const entries = Object.entries(fields).flatMap(([name, value]) => {
    const schema = shape[name];
    if (schema === undefined) return [];
    const isOptional = schema._zod.optin === 'optional';
    return isOptional && isUnset(value) ? [] : [[name, lenientValue(schema, value)]];
  });
  return Object.fromEntries(entries);
}

function isUnset(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isUnset);
  return value === '' || value === 'null';
}

function lenientValue(schema: z.core.$ZodType, value: unknown): unknown {
  if (typeof value !== 'string' || z.safeParse(schema, value).success) return value;
  const json = tryParseJson(/^(?:True|False)$/.test(value) ? value.toLowerCase() : value);
  const readings = [json, typeof json === 'string' ? [json] : undefined, parseList(value)];
  return readings.find((reading) => z.safeParse(schema, reading).success) ?? value;
}

/** Splits `a, b` or `['a', 'b']` into its entries. A comma within braces belongs to a pattern. */
function parseList(text: string): readonly string[] {
  const [, inner = text] = /^\[(.*)\]$/s.exec(text.trim()) ?? [];
  const entries = splitAtCommas(inner).map((entry) => entry.trim());
  return entries
    .map((entry) => (inner === text ? entry : entry.replace(/^(["'])(.*)\1$/s, '$2')))
    .filter((entry) => entry !== '');
}

function splitAtCommas(text: string): readonly string[] {
  const entries = [''];
  for (const [part] of text.matchAll(/\{[^{}]*\}|,|[^,{]+|\{/g)) {
    if (part === ',') entries.push('');
    else entries.push(`${entries.pop()}${part}`);
  }
  return entries;
}

/**
 * Renames arguments to the fields of the route. Models also use the field names themselves (`maxTokens`,
 * `projectPath`), which mean the same.
 */
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
