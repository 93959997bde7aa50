import { useState } from 'preact/hooks';
import { call } from '../shared/api.js';
import { Confirmed } from '../shared/confirmed.js';
import { useLoad } from '../shared/load.js';
import { Failure } from '../shared/parts.js';
import { count } from '../shared/text.js';
import { useAction } from '../shared/use-action.js';

/** Reads all sources again and shows the progress. */
export function Rebuild({ project }: { readonly project: string }) {
  const projectPath = project;
  const rebuild = useAction(() => call('POST /api/knowledge/rebuild', { projectPath }));
  const [startedAt, setStartedAt] = useState(0);
  const progress = useLoad({
    key: rebuild.isRunning ? project : undefined,
    load: (signal) => call('GET /api/knowledge/stats', { projectPath }, signal),
    repeatAfter: () => true,
  });
  const begin = () => {
    setStartedAt(performance.now());
    void rebuild.run();
  };
  return (
    <section class="panel stack" aria-labelledby="rebuild-title" aria-busy={rebuild.isRunning}>
      <h2 id="rebuild-title">Rebuild</h2>
      <p class="muted">
        Reads all sources again and rebuilds the index. The chunks of unchanged files stay, and
        pruned chunks come back.
      </p>
      <Failure error={rebuild.error} />
      <p role="status">
        {rebuild.isRunning &&
          `${Math.round((performance.now() - startedAt) / 1000)} s so far; ${count(progress.data?.totalChunks ?? 0, 'chunk')} in the index.`}
        {rebuild.result &&
          `Done: ${count(rebuild.result.totalChunks, 'chunk')} of ${count(rebuild.result.uniqueSources, 'source')}.`}
      </p>
      <Confirmed
        action="Rebuild"
        consequence="All sources of the project will be read again. Searches keep working meanwhile."
        disabled={rebuild.isRunning}
        onConfirm={begin}
      />
    </section>
  );
}
