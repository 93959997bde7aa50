import { call } from '../shared/api.js';
import { Confirmed } from '../shared/confirmed.js';
import { useLoad } from '../shared/load.js';
import { ChunkLink, Failure } from '../shared/parts.js';
import { count, figure } from '../shared/text.js';
import { useAction } from '../shared/use-action.js';

/** The chunks that nobody asks for: which would go and why, then their deletion. */
export function Pruning({ project }: { readonly project: string }) {
  const preview = useLoad({
    key: project,
    load: (signal) =>
      call('POST /api/knowledge/x/prune', { projectPath: project, dryRun: true }, signal),
  });
  const pruning = useAction(async () => {
    const pruned = await call('POST /api/knowledge/x/prune', { projectPath: project });
    preview.again();
    return pruned;
  });
  const { deleted = 0, chunks = [] } = preview.data ?? {};
  return (
    <section class="panel stack" aria-labelledby="prune-title">
      <h2 id="prune-title">Prune</h2>
      <Failure error={preview.error ?? pruning.error} />
      {pruning.result && (
        <p class="notice good" role="status">
          {count(pruning.result.deleted, 'chunk')} deleted.
        </p>
      )}
      {preview.data && deleted === 0 && <p>Nothing to prune.</p>}
      {deleted > 0 && <p>{count(deleted, 'chunk')} would go; the files stay.</p>}
      {chunks.length > 0 && (
        <div class="scroll">
          <table class="figures">
            <thead>
              <tr>
                <th class="wide">Chunk</th>
                <th>Why</th>
              </tr>
            </thead>
            <tbody>
              {chunks.slice(0, SHOWN).map(({ id, reason }) => (
                <tr key={id}>
                  <td>
                    <ChunkLink project={project} id={id}>
                      <span class="path clamped">{id}</span>
                    </ChunkLink>
                  </td>
                  <td>{withoutMilliseconds(reason)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {chunks.length > SHOWN && <p class="muted">and {figure(chunks.length - SHOWN)} more</p>}
      {deleted > 0 && (
        <Confirmed
          action={`Delete ${count(deleted, 'chunk')}`}
          consequence={`${count(deleted, 'chunk')} that nobody has asked for will be deleted. They come back when their file changes or the project is rebuilt.`}
          disabled={pruning.isRunning}
          onConfirm={pruning.run}
        />
      )}
    </section>
  );
}

const SHOWN = 30;

/** Times in a sentence as people read them. */
function withoutMilliseconds(sentence: string): string {
  return sentence.replace(/(\d{4}-\d\d-\d\d)T[\d:.]+Z/g, '$1');
}
