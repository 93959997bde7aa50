import * as z from 'zod';
import { FIELDS } from '../domain/fields.js';
import { TAG_MAX_CHARACTERS, TAGS_MAX } from '../domain/limits.js';
import {
  anyText,
  featureId,
  flag,
  importance,
  includeSuperseded,
  maxResults,
  oneOf,
  projectPath,
  searchFields,
  share,
  tags,
  text,
  textFor,
} from './fields.js';

/** The requests that have the same fields over HTTP and as arguments of tools. */

export const searchRequest = z.object({
  ...searchFields,
  tags: tags
    .describe('Only chunks with all of these tags; an empty list filters nothing.')
    .exactOptional(),
  explain: flag.describe('Whether to explain the results; default false.').exactOptional(),
  fusion: oneOf(FIELDS.fusion)
    .describe("How keyword and vector ranking are merged; default: the project's setting.")
    .exactOptional(),
  candidates: oneOf(FIELDS.candidates)
    .describe("Which chunks are ranked; default: the project's setting.")
    .exactOptional(),
  minRelevance: share
    .describe(
      'Leaves out results with a lower relevance; default 0. Without effect in "bm25" mode.',
    )
    .exactOptional(),
  includeSuperseded,
  copies: oneOf(FIELDS.copies)
    .describe('Whether further chunks with the same text are shown or hidden; default "shown".')
    .exactOptional(),
  irrelevant: oneOf(FIELDS.irrelevant)
    .describe(
      'Whether all results are shown, whatever their relevance, or those are left out that are below .12 or below .3 of the best one\'s; default: the setting "relevanceFloor".',
    )
    .exactOptional(),
  context: flag
    .describe(
      'Whether results are joined with their neighbours in the source where the token budget has room; default false.',
    )
    .exactOptional(),
});

export const lessonsRequest = z.object({
  projectPath,
  title: text.describe('Title of the feature.'),
  description: anyText.describe('Description of the feature.').exactOptional(),
  featureId: featureId
    .describe(
      "Folder of the feature: its own chunks are left out, its epic's features are a fallback.",
    )
    .exactOptional(),
  maxResults: maxResults.describe('Maximum number of results; default 5.').exactOptional(),
});

export const similarRequest = z.object({
  projectPath,
  text: text.describe('Text to compare with; its first 20 words count.'),
  sourceFile: anyText.describe('Source file whose chunks are left out.').exactOptional(),
  maxResults: maxResults.exactOptional(),
});

const noteId = textFor(FIELDS.id).describe('Name of the file of the note, without ".md".');

const noteFields = {
  projectPath,
  title: text.describe('Title; a line break becomes a space.'),
  content: text.describe('The note, in markdown.'),
  tags: tags
    .describe(`Tags, at most ${TAGS_MAX} of at most ${TAG_MAX_CHARACTERS} characters.`)
    .exactOptional(),
  importance: importance.describe('Importance from 0 to 1; default 0.5.').exactOptional(),
  supersedes: textFor(FIELDS.supersedes)
    .describe('Id of the note that this one replaces: searches no longer find that.')
    .exactOptional(),
} as const;

export const addNoteRequest = z.object({
  ...noteFields,
  id: noteId
    .describe('Id of the note and name of its file; default: made from the title.')
    .exactOptional(),
  force: flag
    .describe('Whether to save the note even if the store already says the same; default false.')
    .exactOptional(),
});

export const replaceNoteRequest = z.object({ ...noteFields, id: noteId });

export const deleteNoteRequest = z.object({ projectPath, id: noteId });
