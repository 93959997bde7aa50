import type { z } from 'zod';
import { readFields } from '../../../schemas/read-fields.js';
import { writeBody } from '../../../schemas/write-body.js';
import { namedAsArguments } from './arguments.js';

/** One tool, as data: everything that is needed to list it and to call it. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For the model: what the tool does, and when to use it. */
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** Whether it changes what the project knows. */
  readonly effect: 'reads' | 'writes';
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
  readonly run: (projectPath: string) => Promise<ToolAnswer>;
}

/** The same twice: as text for a model, and as data for a program. */
export interface ToolAnswer<Structured = Readonly<Record<string, unknown>>> {
  readonly text: string;
  readonly structured: Structured;
}

interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject>
  extends Omit<Tool, 'prepare'> {
  readonly input: Input;
  readonly output: Output;
  /** Keys that `output` does not list are removed from the structured answer. */
  readonly answer: (
    projectPath: string,
    input: NoInfer<z.output<Input>>,
  ) => Promise<ToolAnswer<object>>;
}

/** A tool whose arguments and answers are checked against their schemas. */
export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const { input, output, answer, ...rest } = definition;
  return {
    ...rest,
    input,
    output,
    prepare: (args) => {
      const fields = readFields(input, namedAsArguments(args));
      return {
        project: projectIn(fields),
        run: async (projectPath) => {
          const { text, structured } = await answer(projectPath, fields);
          return { text, structured: writeBody(output, structured) };
        },
      };
    },
  };
}

function projectIn(fields: Readonly<Record<string, unknown>>): string | undefined {
  const { project } = fields;
  return typeof project === 'string' ? project : undefined;
}
