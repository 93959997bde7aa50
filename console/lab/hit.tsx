import { displayTitle } from '../../src/domain/chunks/display-title.js';
import { tokenCost } from '../../src/domain/text.js';
import { Citations } from '../shared/citations.js';
import { EditorLink } from '../shared/editor-link.js';
import { excerptOf, Marked } from '../shared/marks.js';
import { ChunkLink, Type } from '../shared/parts.js';
import { count, decimal } from '../shared/text.js';
import type { Found } from './found.js';
import { plainText } from './plain-text.js';
import { RankChart } from './rank-chart.js';

interface HitProps {
  readonly project: string;
  readonly result: Found['results'][number];
  readonly trace: Found['explain']['results'][number] | undefined;
  readonly query: string;
  readonly place: number;
  readonly topScore: number;
  /** Whether the token budget or the maximum number of results excludes the result. */
  readonly isCut: boolean;
  /** The result's rank in the other mode of the comparison. */
  readonly placeBefore?: number | 'absent';
}

/** One result: the chunk as text, and its ranks. */
export function Hit({ project, result, trace, query, place, placeBefore, ...rest }: HitProps) {
  const { chunk } = result;
  const title = displayTitle(chunk) ?? chunk.sourceFile;
  return (
    <li class="hit" data-cut={rest.isCut}>
      <h3>
        <span class="place">{place}</span>
        <ChunkLink project={project} id={chunk.id}>
          <Marked text={title} query={query} />
        </ChunkLink>
        {placeBefore !== undefined && <Move place={place} before={placeBefore} />}
      </h3>
      <p class="meta">
        <Type type={chunk.sourceType} />
        <EditorLink project={project} file={chunk.sourceFile} line={result.line} />
        <span>importance {decimal(chunk.importance, 1)}</span>
        <span>{count(tokenCost(chunk.content), 'token')}</span>
        {chunk.tags?.map((tag) => (
          <bdi key={tag} class="tag">
            {tag}
          </bdi>
        ))}
        {result.stale && <strong class="stale">stale</strong>}
        {rest.isCut && <strong class="cut">cut</strong>}
      </p>
      <Citations citations={result.citations} />
      <div class="body">
        <p class="content" dir="auto">
          <Marked text={excerptOf({ text: plainText(chunk.content), query })} query={query} />
        </p>
        {trace && <RankChart trace={trace} topScore={rest.topScore} />}
      </div>
    </li>
  );
}

interface MoveProps {
  readonly place: number;
  readonly before: number | 'absent';
}

function Move({ place, before }: MoveProps) {
  if (before === 'absent') return <span class="move new">only here</span>;
  const by = before - place;
  if (by === 0) return <span class="move">=</span>;
  return (
    <span class={`move ${by > 0 ? 'up' : 'down'}`}>
      <span aria-hidden="true">{by > 0 ? '↑' : '↓'}</span>
      <span class="unseen">{by > 0 ? 'up' : 'down'} </span>
      {Math.abs(by)}
    </span>
  );
}
