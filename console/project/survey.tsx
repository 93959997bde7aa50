import type { Answer } from '../shared/api.js';
import { Bar, Type } from '../shared/parts.js';
import { count, figure } from '../shared/text.js';
import { Columns } from './columns.js';

type SurveyData = Answer<'GET /api/knowledge/x/survey'>;

/** The chunks by type and size, and when they were last asked for. */
export function Survey({ survey }: { readonly survey: SurveyData }) {
  const { sizes, lastRetrieved } = survey;
  return (
    <div class="panels">
      <section class="panel" aria-labelledby="types-title">
        <h2 id="types-title">By type</h2>
        <TypeTable survey={survey} />
      </section>
      <section class="panel" aria-labelledby="sizes-title">
        <h2 id="sizes-title">By size, in tokens</h2>
        <Columns bars={sizes.map(({ upTo, chunks }) => [upTo ? `≤ ${upTo}` : 'more', chunks])} />
      </section>
      <section class="panel" aria-labelledby="asked-title">
        <h2 id="asked-title">Last retrieval, by day</h2>
        <p class="muted">
          {count(survey.retrievals, 'retrieval')} in all; {figure(survey.neverRetrieved)} of{' '}
          {count(survey.chunks, 'chunk')} never retrieved. The store keeps the last retrieval of
          each chunk, not earlier ones.
        </p>
        {lastRetrieved.length > 0 && (
          <Columns
            bars={lastRetrieved.slice(-SHOWN_DAYS).map(({ day, chunks }) => [day, chunks])}
          />
        )}
      </section>
    </div>
  );
}

const SHOWN_DAYS = 14;

function TypeTable({ survey }: { readonly survey: SurveyData }) {
  const most = Math.max(...survey.types.map(({ chunks }) => chunks));
  return (
    <table class="figures">
      <thead>
        <tr>
          <th class="wide">Type</th>
          <th class="number">Chunks</th>
          <th class="number">Tokens</th>
          <th class="number">Retrievals</th>
        </tr>
      </thead>
      <tbody>
        {survey.types.map(({ sourceType, chunks, tokens, retrievals }) => (
          <tr key={sourceType}>
            <th scope="row">
              <Type type={sourceType} />
              <Bar share={chunks / most} />
            </th>
            <td class="number">{figure(chunks)}</td>
            <td class="number">{figure(tokens)}</td>
            <td class="number">{figure(retrievals)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
