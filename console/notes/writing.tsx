import { useState } from 'preact/hooks';
import { Markdown } from '../shared/markdown.js';
import type { Draft } from './draft.js';

interface WritingProps {
  readonly draft: Draft;
  /** Whether the note has an expiry date, which can be changed but not removed. */
  readonly mustExpire: boolean;
  readonly onType: (typed: Partial<Draft>) => void;
}

/** The fields of a note, with a preview of its text: beside the text if there is room, otherwise in its place. */
export function Writing({ draft, mustExpire, onType }: WritingProps) {
  const [view, setView] = useState<View>('write');
  const field = (name: keyof Draft) => ({
    value: draft[name],
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onType({ [name]: currentTarget.value }),
  });
  return (
    <>
      <label class="field">
        <span>Title</span>
        <input {...field('title')} />
      </label>
      <div class="row">
        <label class="field wide">
          <span>Tags, separated by commas</span>
          <input {...field('tags')} />
        </label>
        <label class="field">
          <span>Expires on</span>
          <input type="date" required={mustExpire} {...field('expires')} />
        </label>
      </div>
      <div class="writing stack" data-view={view}>
        <fieldset class="row views" aria-label="View">
          {VIEWS.map(([name, label]) => (
            <button
              key={name}
              type="button"
              aria-pressed={view === name}
              onClick={() => setView(name)}
            >
              {label}
            </button>
          ))}
        </fieldset>
        <div class="sides">
          <label class="field">
            <span>Text, as Markdown</span>
            <textarea rows={16} {...field('content')} />
          </label>
          <section class="preview" aria-label="Preview">
            <Markdown text={draft.content} />
          </section>
        </div>
      </div>
    </>
  );
}

type View = 'write' | 'preview';

const VIEWS = [
  ['write', 'Write'],
  ['preview', 'Preview'],
] as const;
