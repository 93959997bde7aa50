import { Bar } from '../shared/parts.js';
import { decimal } from '../shared/text.js';
import type { Found } from './found.js';

interface RankChartProps {
  readonly trace: Found['explain']['results'][number];
  /** The highest absolute score of the list. */
  readonly topScore: number;
}

/** Shows as bars why a result has its rank: its keyword rank, its vector rank, and the fused score. */
export function RankChart({ trace, topScore }: RankChartProps) {
  const { keywordRank, vectorRank, cosine, score, relevance } = trace;
  return (
    <dl class="ranks">
      <dt>keyword</dt>
      <dd>
        <Bar share={shareOfRank(keywordRank)} kind="keyword" />
        <span>{keywordRank === undefined ? 'not found' : `#${keywordRank}`}</span>
      </dd>
      <dt>meaning</dt>
      <dd>
        <Bar share={shareOfRank(vectorRank)} kind="meaning" />
        <span>
          {vectorRank === undefined ? 'no vector' : `#${vectorRank}`}
          {cosine !== undefined && <small> cos {decimal(cosine)}</small>}
        </span>
      </dd>
      <dt>score</dt>
      <dd>
        <Bar share={Math.abs(score) / topScore} kind="score" />
        <span>{decimal(score, Math.abs(score) < 1 ? 4 : 2)}</span>
      </dd>
      {relevance !== undefined && (
        <>
          <dt>relevance</dt>
          <dd>
            <Bar share={relevance} kind="relevance" />
            <span>{decimal(relevance)}</span>
          </dd>
        </>
      )}
    </dl>
  );
}

/** The length of a rank's bar: its weight in fusion by rank, scaled so that rank 1 fills the bar. */
function shareOfRank(rank: number | undefined): number {
  return rank === undefined ? 0 : 10 / (9 + rank);
}
