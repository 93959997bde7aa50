import * as z from 'zod';
import { type Chunk, SOURCE_TYPES } from '../domain/chunks/chunk.js';
import type { SearchResult } from '../domain/search.js';
import { citationReport } from './citations.js';
import { relevance } from './explanation.js';

/** The chunks and search results of both variants. */

/** Rows that another program wrote may have unknown source types; they are returned unchanged. */
const sourceType = z
  .union([z.enum(SOURCE_TYPES), z.string()])
  .describe('Where the chunk comes from.');

const id = z.string().describe('Source file, "#" and the position of the chunk in it.');
const sourceFile = z.string().describe('Path relative to the project, with "/".');
const heading = z.string().optional().describe('Absent if the chunk has none.');
const content = z.string().describe('Text of the chunk, without its heading.');
const tags = z.array(z.string()).optional().describe('Absent if the chunk has none.');
const importance = z.number().describe('From 0 to 1.');

const score = z
  .number()
  .describe('BM25 score (negative, lower is better), or merged score (higher is better).');

/** A chunk as the hybrid variant shows it. */
export const shortChunk = z
  .object({ id, sourceType, sourceFile, heading, content, tags, importance })
  .meta({ id: 'ShortChunk', description: 'A piece of the knowledge of a project.' });

/** A chunk with all its fields, as the search-only variant shows it. */
export const fullChunk = z
  .object({
    id,
    sourceType,
    sourceFile,
    projectPath: z.string().describe('Path by which the project was opened.'),
    chunkIndex: z.int().min(0).describe('Position in the source file, from 0.'),
    heading,
    content,
    tags,
    importance,
    createdAt: z.string().describe('ISO 8601 time.'),
    updatedAt: z.string().describe('ISO 8601 time.'),
  })
  .meta({ id: 'FullChunk', description: 'A piece of the knowledge of a project, in full.' });

export const shortResult = z
  .object({ chunk: shortChunk.describe('The chunk.'), score })
  .meta({ id: 'ShortResult', description: 'A chunk that was found, and its score.' });

/** A result of the extensions, which say how relevant it is. */
export const ratedResult = z
  .object({ ...shortResult.shape, relevance: relevance.optional(), ...citationReport })
  .meta({ id: 'RatedResult', description: 'A chunk that was found, its score and its relevance.' });

export const projectResult = z
  .object({
    projectPath: z.string().describe('The project, as the request names it.'),
    ...ratedResult.shape,
  })
  .meta({ id: 'ProjectResult', description: 'A chunk that was found in one of the projects.' });

export const fullResult = z
  .object({ chunk: fullChunk.describe('The chunk.'), score })
  .meta({ id: 'FullResult', description: 'A chunk that was found, and its score.' });

/** The results of a search with all fields; the schema of each variant drops those that it does not list. */
export function resultsOf<Result extends SearchResult>(results: readonly Result[]) {
  return results.map(resultOf);
}

export function resultOf<Result extends SearchResult>(result: Result) {
  return { ...result, chunk: chunkOf(result.chunk) };
}

/** A chunk with all fields; tags are absent if it has none. */
export function chunkOf(chunk: Chunk) {
  return { ...chunk, tags: presentTags(chunk) };
}

function presentTags({ tags }: Chunk): readonly string[] | undefined {
  return tags?.length === 0 ? undefined : tags;
}
