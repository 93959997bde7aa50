import { useEffect, useRef, useState } from 'preact/hooks';
import { type Draft, draftOf } from './draft.js';
import type { Conflict } from './saving.js';

interface ConflictViewProps {
  readonly conflict: Conflict;
  /** The text in the editor. */
  readonly draft: Draft;
  readonly onTake: (draft: Draft) => void;
  readonly onSettle: () => void;
}

/** Shows both versions of a note that someone else has changed. The editor keeps the typed text. */
export function ConflictView({ conflict, draft, onTake, onSettle }: ConflictViewProps) {
  const place = useRef<HTMLElement>(null);
  const [mine, setMine] = useState<Draft>();
  const { theirs } = conflict;
  useEffect(() => place.current?.scrollIntoView(), [theirs]);
  if (theirs === undefined) {
    return (
      <section ref={place}>
        <p class="notice bad" role="alert">
          Someone else deleted this note while you were editing it. Your text is still here: saving
          writes the note again.
        </p>
      </section>
    );
  }
  const other = draftOf(theirs);
  const take = () => {
    setMine(draft);
    onTake(other);
  };
  const takeBack = () => {
    if (mine !== undefined) onTake(mine);
    setMine(undefined);
  };
  const own = mine ?? draft;
  return (
    <section class="conflict stack" aria-labelledby="conflict-title" ref={place}>
      <h3 id="conflict-title">Someone else changed this note while you were editing it</h3>
      <p role="alert">
        Nothing was overwritten: the fields below still have your text. Lines that only one version
        has are marked.
      </p>
      <div class="versions">
        <Version title="As it is now" draft={other} than={own} />
        <Version title="Yours" draft={own} than={other} />
      </div>
      <p class="row">
        {mine === undefined ? (
          <button type="button" onClick={take}>
            Use the other text
          </button>
        ) : (
          <>
            <button type="button" onClick={takeBack}>
              Back to my text
            </button>
            <button type="button" onClick={onSettle}>
              Done
            </button>
          </>
        )}
      </p>
    </section>
  );
}

interface VersionProps {
  readonly title: string;
  readonly draft: Draft;
  readonly than: Draft;
}

function Version({ title, draft, than }: VersionProps) {
  const others = new Set(linesOf(than));
  return (
    <section aria-label={title}>
      <h4>{title}</h4>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas must be reachable by keyboard */}
      <pre tabIndex={0}>
        {linesOf(draft).map((line, index) => (
          <div key={index}>{others.has(line) ? line : <mark>{line}</mark>}</div>
        ))}
      </pre>
    </section>
  );
}

function linesOf({ title, tags, content }: Draft): readonly string[] {
  return [`# ${title}`, ...(tags === '' ? [] : [`Tags: ${tags}`]), ...content.split('\n')];
}
