import * as z from 'zod';
import { anyText, featureId, maxResults, projectPath, text } from './fields.js';

/** The requests for lessons and similar chunks. */

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
