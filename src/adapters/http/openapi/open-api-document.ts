import type * as z from 'zod';

/** The parts of OpenAPI 3.1 that the document of this service uses. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly security: readonly SecurityRequirement[];
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  };
}

/** A schema of JSON Schema draft 2020-12. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

export interface Tag {
  readonly name: string;
  readonly description: string;
}

export interface PathItem {
  readonly get?: Operation;
  readonly post?: Operation;
  readonly put?: Operation;
  readonly delete?: Operation;
}

export interface Operation {
  /** Unique in the document. */
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  /** Absent: that of the document. */
  readonly security?: readonly SecurityRequirement[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: true; readonly content: JsonContent };
  /** By status. */
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
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content: JsonContent | TextContent;
}

export interface Header {
  readonly description: string;
  readonly required: true;
  readonly schema: JsonSchema;
}

export interface TextContent {
  readonly 'text/plain': { readonly schema: JsonSchema };
}

export interface JsonContent {
  readonly 'application/json': { readonly schema: JsonSchema };
}

interface SecurityScheme {
  readonly type: 'http';
  readonly scheme: 'bearer';
  readonly description: string;
}

type SecurityRequirement = Readonly<Record<string, readonly string[]>>;
