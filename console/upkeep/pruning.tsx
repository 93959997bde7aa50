import { useState } from 'preact/hooks';
import { type Answer, call } from '../shared/api.js';
import { Confirmed } from '../shared/confirmed.js';
import { useLoad } from '../shared/load.js';
import { ChunkLink, Failure } from '../shared/parts.js';
import { count } from '../shared/text.js';
import { useAction } from '../shared/use-action.js';

type Prunable = Answer<'POST /api/knowledge/x/prune'>['chunks'][number];

/** The chunks that nobody asks for: which would go and why, a choice, then their deletion. */
export function Pruning({ project }: { readonly project: string }) {
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const preview = useLoad({
    key: project,
    load: (signal) =>
      call('POST /api/knowledge/x/prune', { projectPath: project, dryRun: true }, signal),
  });
  const { chunks = [] } = preview.data ?? {};
  const chosen = chunks.filter(({ id }) => !kept.has(id));
  const pruning = useAction(async () => {
    let deleted = 0;
    for (let from = 0; from < chosen.length; from += PRUNED_AT_ONCE) {
      const ids = chosen.slice(from, from + PRUNED_AT_ONCE).map(({ id }) => id);
      const pruned = await call('POST /api/knowledge/x/prune', { projectPath: project, ids });
      deleted += pruned.deleted;
    }
    preview.again();
    return { deleted };
  });
  const toggle = (id: string) => {
    const others = [...kept].filter((other) => other !== id);
    setKept(new Set(kept.has(id) ? others : [...others, id]));
  };
  return (
    <section class="panel stack" aria-labelledby="prune-title">
      <h2 id="prune-title">Prune</h2>
      <Failure error={preview.error ?? pruning.error} />
      {pruning.result && (
        <p class="notice good" role="status">
          {count(pruning.result.deleted, 'chunk')} deleted.
        </p>
      )}
      {preview.data && chunks.length === 0 && <p>Nothing to prune.</p>}
      {chunks.length > 0 && (
        <>
          <p>
            Never retrieved, and unused for at least 90 days. Untick what is to stay; the files stay
            in any case.
          </p>
          <Choices project={project} chunks={chunks} kept={kept} onToggle={toggle} />
          <Confirmed
            action={`Delete ${count(chosen.length, 'chunk')}`}
            consequence={`${count(chosen.length, 'chunk')} that nobody has asked for will be deleted. They come back when their file changes or the project is rebuilt.`}
            disabled={pruning.isRunning || chosen.length === 0}
            onConfirm={pruning.run}
          />
        </>
      )}
    </section>
  );
}

/** Their ids fit into a body of a mebibyte. */
const PRUNED_AT_ONCE = 2000;

interface ChoicesProps {
  readonly project: string;
  readonly chunks: readonly Prunable[];
  readonly kept: ReadonlySet<string>;
  readonly onToggle: (id: string) => void;
}

function Choices({ project, chunks, kept, onToggle }: ChoicesProps) {
  const [shown, setShown] = useState(SHOWN);
  return (
    <>
      <ul class="plain">
        {chunks.slice(0, shown).map(({ id, reason }) => (
          <li key={id} class="choice">
            <input
              type="checkbox"
              aria-label={`Delete ${id}`}
              checked={!kept.has(id)}
              onChange={() => onToggle(id)}
            />
            <span>
              <ChunkLink project={project} id={id}>
                <span class="path">{id}</span>
              </ChunkLink>
              <small class="block muted" title={reason}>
                unused since {/\d{4}-\d\d-\d\d/.exec(reason)}
              </small>
            </span>
          </li>
        ))}
      </ul>
      {chunks.length > shown && (
        <button type="button" onClick={() => setShown(shown + 10 * SHOWN)}>
          Show more of {count(chunks.length, 'chunk')}
        </button>
      )}
    </>
  );
}

const SHOWN = 30;
