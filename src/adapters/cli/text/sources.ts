import type { SourceOverview, SourceReport } from '../../../ports/driving/sources-service.js';
import { cutPath, table } from './layout.js';
import { counted, grouped, sized } from './numbers.js';
import { printableLine } from './printable.js';
import type { Styles } from './styles.js';

/** The sources of a project as a table, and what is not read. */
export function sourcesText(
  { sources, skipped }: SourceOverview,
  { styles, columns }: { readonly styles: Styles; readonly columns: number },
): string {
  const rows = table(COLUMNS, sources.map(rowOf), { width: columns, title: styles.dim });
  const left = skipped.map(({ sourceFile, reason }) =>
    printableLine(`skipped ${sourceFile}: ${reason}`),
  );
  return [
    sources.length === 0
      ? 'Nothing is indexed.'
      : `${rows}\n\n${counted(sources.length, 'source')}`,
    ...left,
  ].join('\n');
}

const COLUMNS = [
  { title: 'source', cut: cutPath },
  { title: 'type' },
  { title: 'chunks', align: 'right' },
  { title: 'size', align: 'right', isOptional: true },
  { title: 'retrieved', align: 'right', isOptional: true },
  { title: 'indexed', isOptional: true },
] as const;

function rowOf(source: SourceReport): readonly string[] {
  return [
    printableLine(source.sourceFile),
    printableLine(source.sourceType),
    grouped(source.chunks),
    source.bytes === 0 ? '–' : sized(source.bytes),
    grouped(source.retrievals),
    printableLine(source.indexedAt?.slice(0, 10) ?? ''),
  ];
}
