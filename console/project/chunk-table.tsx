import { SOURCE_TYPES } from '../../src/domain/chunks/chunk.js';
import { call } from '../shared/api.js';
import { Choice } from '../shared/choice.js';
import { useLoad } from '../shared/load.js';
import { Pages } from '../shared/pages.js';
import { ChunkLink, Failure, Type } from '../shared/parts.js';
import { change, type Fields } from '../shared/place.js';
import { day, figure, typeName } from '../shared/text.js';

interface ChunkTableProps {
  readonly project: string;
  readonly fields: Fields;
}

/** Lists the chunks in the chosen order, page by page. */
export function ChunkTable({ project, fields }: ChunkTableProps) {
  const { order = 'last_retrieved', type, file } = fields;
  const offset = Number(fields['offset'] ?? 0) || 0;
  const asked = {
    projectPath: project,
    order,
    limit: PAGE,
    offset,
    ...(type && { sourceType: type }),
    ...(file && { sourceFile: file }),
  };
  const { data, error, isLoading } = useLoad({
    key: JSON.stringify(asked),
    load: (signal) => call('GET /api/knowledge/x/chunks', asked, signal),
  });
  return (
    <section class="panel" aria-labelledby="chunks-title" aria-busy={isLoading}>
      <h2 id="chunks-title">Chunks</h2>
      <div class="row">
        <Choice label="Order" name="order" value={order} options={ORDERS} resets="offset" />
        <Choice label="Type" name="type" value={type ?? ''} options={TYPES} resets="offset" />
        {file && (
          <button type="button" onClick={() => change({ file: '', offset: '' })}>
            All sources
          </button>
        )}
      </div>
      <Failure error={error} />
      {data && (
        <>
          <div class="scroll">
            <table class="figures">
              <thead>
                <tr>
                  <th class="wide">Chunk</th>
                  <th>Type</th>
                  <th class="number">Retrievals</th>
                  <th>Last</th>
                  <th class="number">Tokens</th>
                  <th>Changed</th>
                </tr>
              </thead>
              <tbody>
                {data.chunks.map((chunk) => (
                  <tr key={chunk.id}>
                    <td>
                      <ChunkLink project={project} id={chunk.id}>
                        <span class="clamped">
                          {chunk.title ?? chunk.heading ?? chunk.sourceFile}
                        </span>
                      </ChunkLink>
                      <bdi class="path muted clamped">{chunk.id}</bdi>
                    </td>
                    <td>
                      <Type type={chunk.sourceType} />
                    </td>
                    <td class="number" data-label="Retrievals">
                      {figure(chunk.retrievals)}
                    </td>
                    <td class="date" data-label="Last">
                      {chunk.lastRetrievedAt ? day(chunk.lastRetrievedAt) : '–'}
                    </td>
                    <td class="number" data-label="Tokens">
                      {figure(chunk.tokens)}
                    </td>
                    <td class="date" data-label="Changed">
                      {day(chunk.updatedAt)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <Pages offset={offset} size={PAGE} total={data.total} one="chunk" />
        </>
      )}
    </section>
  );
}

const PAGE = 10;

const ORDERS = [
  ['last_retrieved', 'last returned'],
  ['most_retrieved', 'most asked for'],
  ['least_retrieved', 'least asked for'],
  ['newest', 'last changed'],
  ['longest', 'longest'],
  ['source', 'by source'],
] as const;

const TYPES: readonly (readonly [string, string])[] = [
  ['', 'all'],
  ...SOURCE_TYPES.map((type) => [type, typeName(type)] as const),
];
