import { call } from '../shared/api.js';
import { Citations } from '../shared/citations.js';
import { useLoad } from '../shared/load.js';
import { ChunkLink, Failure } from '../shared/parts.js';
import { count } from '../shared/text.js';

/** Lists the chunks that cite changed or deleted files. */
export function Stale({ project }: { readonly project: string }) {
  const { data, error } = useLoad({
    key: project,
    load: (signal) => call('GET /api/knowledge/x/stale', { projectPath: project }, signal),
  });
  return (
    <section class="panel stack" aria-labelledby="stale-title">
      <h2 id="stale-title">Stale</h2>
      <Failure error={error} />
      {data && (
        <p class="muted">
          {data.chunks.length === 0
            ? 'No chunk cites a file that has changed since then.'
            : `${count(data.chunks.length, 'chunk cites', 'chunks cite')} files that were changed or deleted.`}
        </p>
      )}
      <ul class="plain">
        {data?.chunks.slice(0, SHOWN).map(({ id, title, heading, citations }) => (
          <li key={id}>
            <ChunkLink project={project} id={id}>
              <span class="clamped">{title ?? heading ?? id}</span>
            </ChunkLink>
            <Citations citations={citations} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const SHOWN = 30;
