import { useState } from 'preact/hooks';
import { type Answer, call } from '../shared/api.js';
import { Confirmed } from '../shared/confirmed.js';
import { useLoad } from '../shared/load.js';
import { ChunkLink, Failure } from '../shared/parts.js';
import { age, count } from '../shared/text.js';
import { useAction } from '../shared/use-action.js';

type Prunable = Answer<'POST /api/knowledge/x/prune'>['chunks'][number];

/** Lists the chunks that no search returns, with reasons, and deletes those that are checked. */
export function Pruning({ project }: { readonly project: string }) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const preview = useLoad({
    key: project,
    load: (signal) =>
      call('POST /api/knowledge/x/prune', { projectPath: project, dryRun: true }, signal),
  });
  const { chunks = [] } = preview.data ?? {};
  const kept = new Set(
    chunks.filter((chunk) => toggled.has(chunk.id) !== isKeptFirst(chunk)).map(({ id }) => id),
  );
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
    const others = [...toggled].filter((other) => other !== id);
    setToggled(new Set(toggled.has(id) ? others : [...others, id]));
  };
  return (
    <section class="panel stack" aria-labelledby="prune-title">
      <h2 id="prune-title">Prune</h2>
      <p class="muted">
        Pruning removes chunks that no search has returned for 90 days, so that old text does not
        compete with the text you need. No file is deleted: a chunk comes back when its file changes
        or the project is rebuilt.
      </p>
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
            No search has returned these {count(chunks.length, 'chunk')}. Uncheck what you want to
            keep; notes and READMEs are unchecked by default.
          </p>
          <Choices project={project} chunks={chunks} kept={kept} onToggle={toggle} />
          <Confirmed
            action={`Delete ${count(chosen.length, 'chunk')}`}
            consequence={`${count(chosen.length, 'chunk')} that no search has returned will be deleted. They come back when their file changes or the project is rebuilt.`}
            disabled={pruning.isRunning || chosen.length === 0}
            onConfirm={pruning.run}
          />
        </>
      )}
    </section>
  );
}

/**
 * Whether a chunk is unchecked at first. Notes are meant to last, and READMEs are for readers of the project rather
 * than for searches.
 */
function isKeptFirst({ sourceFile }: Prunable): boolean {
  return /^\.[^/]+\/notes\//.test(sourceFile) || /(^|\/)readme\.[^/]*$/i.test(sourceFile);
}

/** Chunks to delete per request. That many ids fit into a body of 1 MiB. */
const PRUNED_AT_ONCE = 2000;

interface ChoicesProps {
  readonly project: string;
  readonly chunks: readonly Prunable[];
  readonly kept: ReadonlySet<string>;
  readonly onToggle: (id: string) => void;
}

function Choices({ project, chunks, kept, onToggle }: ChoicesProps) {
  const [shown, setShown] = useState(SHOWN);
  const asked = { projectPath: project, order: 'least_retrieved', limit: MOST_KNOWN };
  const { data } = useLoad({
    key: project,
    load: (signal) => call('GET /api/knowledge/x/chunks', asked, signal),
  });
  const known = new Map(data?.chunks.map((chunk) => [chunk.id, chunk]));
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
                {titleOf(known.get(id)) ?? <span class="path">{id}</span>}
              </ChunkLink>
              {titleOf(known.get(id)) && <bdi class="block path muted">{id}</bdi>}
              <small class="block muted" title={reason}>
                {whyOf(reason)}
                {known.has(id) && ` · ${count(known.get(id)?.tokens ?? 0, 'token')}`}
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
/** The number of chunks, least retrieved first, to load titles and sizes for. */
const MOST_KNOWN = 200;

type Entry = Answer<'GET /api/knowledge/x/chunks'>['chunks'][number];

function titleOf(entry: Entry | undefined): string | undefined {
  return entry?.title ?? entry?.heading;
}

function whyOf(reason: string): string {
  const [day] = /\d{4}-\d\d-\d\d/.exec(reason) ?? [];
  return day === undefined ? reason : `never returned, unused since ${day} (${age(day)})`;
}
