/** A note that supersedes another one, according to its frontmatter. */
interface Supersession {
  readonly sourceFile: string;
  /** The superseded source file, whether or not it exists. */
  readonly supersedes: string;
}

/** A source and its number of chunks; if absent, it has some. */
type Superseding = Pick<Supersession, 'sourceFile'> &
  Partial<Supersession> & { readonly chunkCount?: number };

/**
 * The links of sources that supersede another one. A source whose chunks were all pruned supersedes nothing, because
 * neither would be found.
 */
export function listSupersessions(sources: readonly Superseding[]): readonly Supersession[] {
  return sources.flatMap(({ sourceFile, supersedes, chunkCount }) =>
    supersedes === undefined || chunkCount === 0 ? [] : { sourceFile, supersedes },
  );
}

/**
 * The superseded source files, each with one that supersedes it. Circles are ignored, so that a mistake hides no text.
 */
export function supersededBy(links: readonly Supersession[]): ReadonlyMap<string, string> {
  const circular = inCircles(links);
  const valid = links.filter(({ sourceFile }) => !circular.has(sourceFile));
  return new Map(valid.map(({ sourceFile, supersedes }) => [supersedes, sourceFile]));
}

/** Whether a link would close a circle if it replaced the current link of its source. */
export function leadsBack(link: Supersession, links: readonly Supersession[]): boolean {
  return inCircles([...links, link]).has(link.sourceFile);
}

/** The source files on circles. Only the last link of each source counts. Takes linear time. */
function inCircles(links: readonly Supersession[]): ReadonlySet<string> {
  const next = new Map(links.map(({ sourceFile, supersedes }) => [sourceFile, supersedes]));
  const seenFrom = new Map<string, string>();
  const circular = new Set<string>();
  for (const start of next.keys()) {
    let file: string | undefined = start;
    while (file !== undefined && !seenFrom.has(file)) {
      seenFrom.set(file, start);
      file = next.get(file);
    }
    if (file === undefined || seenFrom.get(file) !== start) continue;
    while (file !== undefined && !circular.has(file)) {
      circular.add(file);
      file = next.get(file);
    }
  }
  return circular;
}
