import { useState } from 'preact/hooks';
import { call } from '../shared/api.js';
import { useLoad } from '../shared/load.js';
import { Failure, Type } from '../shared/parts.js';
import { change, hrefOf } from '../shared/place.js';
import { bytes, count, day, figure } from '../shared/text.js';

interface SourceTableProps {
  readonly project: string;
  /** Lists only the sources whose path contains this. */
  readonly filter: string;
}

/** Lists the sources, and the files that could not be read, with the reasons. */
export function SourceTable({ project, filter }: SourceTableProps) {
  const [shown, setShown] = useState(SHOWN);
  const { data, error } = useLoad({
    key: project,
    load: (signal) => call('GET /api/knowledge/x/sources', { projectPath: project }, signal),
  });
  if (data === undefined) return <Failure error={error} />;
  const matching = data.sources.filter(({ sourceFile }) =>
    sourceFile.toLowerCase().includes(filter.toLowerCase()),
  );
  return (
    <>
      <section class="panel" aria-labelledby="skipped-title">
        <h2 id="skipped-title">Not read</h2>
        {data.skipped.length === 0 && <p class="muted">Every source was read.</p>}
        <ul class="plain">
          {data.skipped.slice(0, SHOWN_SKIPPED).map(({ sourceFile, reason }) => (
            <li key={sourceFile}>
              <bdi class="path">{sourceFile}</bdi>: {reason}
            </li>
          ))}
        </ul>
        {data.skipped.length > SHOWN_SKIPPED && (
          <p class="muted">and {figure(data.skipped.length - SHOWN_SKIPPED)} more</p>
        )}
      </section>
      <section class="panel" aria-labelledby="sources-title">
        <h2 id="sources-title">Sources</h2>
        <label class="field">
          <span>Part of the path</span>
          <input
            type="search"
            value={filter}
            onInput={({ currentTarget }) => change({ source: currentTarget.value })}
          />
        </label>
        <div class="scroll">
          <table class="figures">
            <thead>
              <tr>
                <th class="wide">Source</th>
                <th>Type</th>
                <th class="number">Chunks</th>
                <th class="number">Retrievals</th>
                <th class="number">Size</th>
                <th>Indexed</th>
              </tr>
            </thead>
            <tbody>
              {matching.slice(0, shown).map((source) => (
                <tr key={source.sourceFile}>
                  <td>
                    <a href={chunksOf(project, source.sourceFile)}>
                      <bdi class="path clamped">{source.sourceFile}</bdi>
                    </a>
                  </td>
                  <td>
                    <Type type={source.sourceType} />
                  </td>
                  <td class="number" data-label="Chunks">
                    {figure(source.chunks)}
                  </td>
                  <td class="number" data-label="Retrievals">
                    {figure(source.retrievals)}
                  </td>
                  <td class="number" data-label="Size">
                    {bytes(source.bytes)}
                  </td>
                  <td class="date" data-label="Indexed">
                    {source.indexedAt ? day(source.indexedAt) : '–'}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <p class="row">
          <span class="muted">{count(matching.length, 'source')}</span>
          {matching.length > shown && (
            <button type="button" onClick={() => setShown(shown + 10 * SHOWN)}>
              Show more
            </button>
          )}
        </p>
      </section>
    </>
  );
}

const SHOWN = 20;
const SHOWN_SKIPPED = 50;

function chunksOf(project: string, file: string): string {
  return hrefOf({ page: 'project', fields: { project, file, order: 'source' } });
}
