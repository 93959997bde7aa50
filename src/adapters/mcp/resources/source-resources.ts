import { visibleText } from '../../../domain/lessons/lesson-text.js';
import type { SourceReport, SourcesService } from '../../../ports/driving/sources-service.js';
import { RESOURCE_MAX_TOKENS, RESOURCE_PAGE } from '../limits.js';
import { sourceText } from './source-text.js';
import { sourceUri } from './source-uri.js';

/** A source as a client lists it. */
export interface ListedSource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  readonly size?: number;
  readonly annotations: { readonly lastModified?: string };
}

export interface SourcePage {
  readonly resources: readonly ListedSource[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/** The sources of projects, for clients that let people attach them to a conversation. */
export interface SourceResources {
  /**
   * Sorted by file.
   * @param cursor of the page before
   */
  list(projectPath: string, cursor?: string): Promise<SourcePage>;
  /** @throws KnowledgeError `not_found` for a source that is not indexed */
  read(projectPath: string, sourceFile: string): Promise<string>;
}

export const SOURCE_MIME_TYPE = 'text/markdown';

export function sourceResources(sources: SourcesService): SourceResources {
  return {
    list: async (projectPath, cursor = '') => {
      const all = await sources.indexedSources(projectPath);
      const rest = all.filter(({ sourceFile, chunks }) => chunks > 0 && sourceFile > cursor);
      const page = rest.slice(0, RESOURCE_PAGE);
      const last = page.at(-1);
      return {
        resources: page.map((source) => listed(projectPath, source)),
        ...(last !== undefined && rest.length > page.length && { nextCursor: last.sourceFile }),
      };
    },
    read: async (projectPath, sourceFile) =>
      sourceText(await sources.readSource(projectPath, sourceFile), RESOURCE_MAX_TOKENS),
  };
}

/** The names of files are text of the project as well. */
function listed(projectPath: string, source: SourceReport): ListedSource {
  const { sourceFile, sourceType, chunks, bytes, indexedAt } = source;
  return {
    uri: sourceUri(projectPath, sourceFile),
    name: visibleText(sourceFile),
    description: `${sourceType}, ${chunks} ${chunks === 1 ? 'chunk' : 'chunks'}`,
    mimeType: SOURCE_MIME_TYPE,
    ...(bytes > 0 && { size: bytes }),
    annotations: { ...(indexedAt !== undefined && { lastModified: indexedAt }) },
  };
}
