/** A note whose frontmatter says that it replaces another one. */
interface Supersession {
  readonly sourceFile: string;
  /** The source file that it replaces, whether or not that exists. */
  readonly supersedes: string;
}

/** A source and how many chunks it has; by default some. */
type Superseding = Pick<Supersession, 'sourceFile'> &
  Partial<Supersession> & { readonly chunkCount?: number };

/**
 * The links of those sources that replace another one. Sources whose chunks were all pruned replace nothing: then
 * neither would be found.
 */
export function listSupersessions(sources: readonly Superseding[]): readonly Supersession[] {
  return sources.flatMap(({ sourceFile, supersedes, chunkCount }) =>
    supersedes === undefined || chunkCount === 0 ? [] : { sourceFile, supersedes },
  );
}

/**
 * The replaced source files, each with one that replaces it. A circle replaces nothing, so that a mistake hides no
 * text.
 */
export function supersededBy(links: readonly Supersession[]): ReadonlyMap<string, string> {
  const circular = inCircles(links);
  const valid = links.filter(({ sourceFile }) => !circular.has(sourceFile));
  return new Map(valid.map(({ sourceFile, supersedes }) => [supersedes, sourceFile]));
}

/** Whether a link would close a circle; it replaces any link that its source has. */
export function leadsBack(link: Supersession, links: readonly Supersession[]): boolean {
  return inCircles([...links, link]).has(link.sourceFile);
}

/** The source files on circles, in time linear in the links: of each, the last link counts. */
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
