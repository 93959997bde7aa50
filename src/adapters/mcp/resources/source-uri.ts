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
