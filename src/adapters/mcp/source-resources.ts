import type { Chunk } from '../../domain/chunks/chunk.js';
import { fencedText } from '../../domain/lessons/fenced-text.js';
import { oneLine, visibleText } from '../../domain/lessons/lesson-text.js';
import type {
  SourceContent,
  SourceReport,
  SourcesService,
} from '../../ports/driving/sources-service.js';
import { answerTokens, previewOf } from './answers/budget.js';
import { WARNING_OF_BLOCK } from './answers/results-answer.js';
import { RESOURCE_MAX_TOKENS, RESOURCE_PAGE } from './limits.js';

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

/** The text of a source for a model, in one fenced block that it cannot close, within a budget. */
function sourceText(source: SourceContent, maxTokens: number): string {
  const head = headOf(source);
  const text = source.chunks.map(chunkText).join('\n\n');
  const room = maxTokens - answerTokens(head) - answerTokens(WARNING_OF_BLOCK) - FRAME_TOKENS;
  const shown = previewOf(text, Math.max(0, room));
  const isWhole = shown.complete && source.complete;
  const end = isWhole ? '' : `\n${CUT}\n`;
  return `${WARNING_OF_BLOCK}\n\n${fencedText(`${head}\n\n${shown.text}`)}${end}`;
}

function headOf({ sourceFile, sourceType, chunks }: SourceContent): string {
  return `file: ${oneLine(sourceFile)} (${oneLine(sourceType)})\nchunks: ${chunks.length}`;
}

function chunkText({ heading, content }: Chunk): string {
  return heading === undefined ? content : `## ${oneLine(heading)}\n${content}`;
}

const CUT = 'This is the beginning of the file; search finds the parts that matter.';
/** The fence, and the sentence that says that the text was cut. */
const FRAME_TOKENS = 40;

/** What the address of a source says. */
export interface SourceAddress {
  /** Absolute path; absent if the address names none. */
  readonly project?: string;
  /** Path relative to the project. */
  readonly sourceFile: string;
}

/** The addresses of sources, as RFC 6570 writes it. */
export const SOURCE_URI_TEMPLATE = 'knowledge-store://source{?project,file}';

export function sourceUri(project: string, sourceFile: string): string {
  return `knowledge-store://source?project=${encodeURIComponent(project)}&file=${encodeURIComponent(sourceFile)}`;
}

/** Undefined for the address of something else. */
export function sourceAddress(uri: string): SourceAddress | undefined {
  if (!URL.canParse(uri)) return undefined;
  const { protocol, host, searchParams } = new URL(uri);
  const sourceFile = searchParams.get('file');
  if (protocol !== 'knowledge-store:' || host !== 'source' || !sourceFile) return undefined;
  const project = searchParams.get('project');
  return { sourceFile, ...(project !== null && { project }) };
}
