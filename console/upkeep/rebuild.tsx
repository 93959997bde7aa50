import { useEffect, useState } from 'preact/hooks';
import { call } from '../shared/api.js';
import { Confirmed } from '../shared/confirmed.js';
import { Failure } from '../shared/parts.js';
import { count } from '../shared/text.js';
import { useAction } from '../shared/use-action.js';

/** Reads all sources again, and shows how far that is. */
export function Rebuild({ project }: { readonly project: string }) {
  const projectPath = project;
  const rebuild = useAction(() => call('POST /api/knowledge/rebuild', { projectPath }));
  const progress = useChunksSoFar(project, rebuild.isRunning);
  return (
    <section class="panel stack" aria-labelledby="rebuild-title" aria-busy={rebuild.isRunning}>
      <h2 id="rebuild-title">Rebuild</h2>
      <p class="muted">
        Reads every source again and rebuilds the index. Files that have not changed are skipped;
        what was pruned comes back.
      </p>
      <Failure error={rebuild.error} />
      <p role="status">
        {rebuild.isRunning &&
          `${progress.seconds} s so far; ${count(progress.chunks ?? 0, 'chunk')} in the index.`}
        {rebuild.result &&
          `Done: ${count(rebuild.result.totalChunks, 'chunk')} of ${count(rebuild.result.uniqueSources, 'source')}.`}
      </p>
      <Confirmed
        action="Rebuild"
        consequence="All sources of the project will be read again. Searches work meanwhile."
        disabled={rebuild.isRunning}
        onConfirm={rebuild.run}
      />
    </section>
  );
}

/** Asked every second while something is running. */
function useChunksSoFar(project: string, isRunning: boolean) {
  const [progress, setProgress] = useState<{ seconds: number; chunks?: number }>({ seconds: 0 });
  useEffect(() => {
    if (!isRunning) return setProgress({ seconds: 0 });
    const start = performance.now();
    const timer = setInterval(async () => {
      const seconds = Math.round((performance.now() - start) / 1000);
      setProgress((last) => ({ ...last, seconds }));
      const stats = await call('GET /api/knowledge/stats', { projectPath: project }).catch(
        () => undefined,
      );
      if (stats !== undefined) setProgress({ seconds, chunks: stats.totalChunks });
    }, SECOND_MS);
    return () => clearInterval(timer);
  }, [isRunning, project]);
  return progress;
}

const SECOND_MS = 1000;
