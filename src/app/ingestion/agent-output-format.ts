import type { DraftChunk } from '../../domain/chunks/chunk.js';
import { AGENT_OUTPUT_IMPORTANCE, AGENT_OUTPUT_TAIL_CHARACTERS } from '../../domain/limits.js';
import type { ProjectFileReader } from '../../ports/project-files.js';
import type { SourceFormat } from './source-format.js';

/** Format of agent outputs: the end of the file, as one chunk. */
export function agentOutputFormat(
  files: Pick<ProjectFileReader, 'readTail'>,
  hashPrefix: string,
): SourceFormat {
  return {
    sourceType: 'agent_output',
    read: (project, file) => files.readTail(project, file, AGENT_OUTPUT_TAIL_CHARACTERS),
    hashPrefix,
    cut: (text, file) => ({ chunks: tailChunk(text, file), names: {} }),
    problems: () => [],
  };
}

/** Cuts a text into one chunk, or none if the text is blank. */
function tailChunk(content: string, sourceFile: string): readonly DraftChunk[] {
  if (content.trim() === '') return [];
  const heading = `Agent output: ${featureFolder(sourceFile)}`;
  return [{ heading, content, importance: AGENT_OUTPUT_IMPORTANCE, line: 1 }];
}

/** Returns the name of the folder that holds a file of a feature; it is the feature's id. */
export function featureFolder(sourceFile: string): string | undefined {
  return sourceFile.split('/').at(-2);
}
