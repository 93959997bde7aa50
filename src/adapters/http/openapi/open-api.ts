import type * as z from 'zod';

/** The parts of OpenAPI 3.1 that the document of this service uses. */

export type PathItem = Partial<
  Readonly<Record<'get' | 'post' | 'put' | 'patch' | 'delete', Operation>>
>;

/** A schema of JSON Schema draft 2020-12. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

export interface Operation {
  /** Unique in the document. */
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  /** Default: the security of the document. */
  readonly security?: readonly [];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: true; readonly content: Content };
  /** Responses by status. */
  readonly responses: Readonly<Record<string, OperationResponse>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface OperationResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
  readonly content: Content;
}

/** Schemas by media type. */
export type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;
