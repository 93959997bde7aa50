import { COMPACTION_THRESHOLD_TOKENS } from '../../src/domain/limits.js';
import { type Answer, call } from '../shared/api.js';
import { Choice } from '../shared/choice.js';
import { Confirmed } from '../shared/confirmed.js';
import { useLoad } from '../shared/load.js';
import { Failure } from '../shared/parts.js';
import { change, type Fields } from '../shared/place.js';
import { figure } from '../shared/text.js';
import { useAction } from '../shared/use-action.js';
import { SideBySide } from './side-by-side.js';

interface CompactionProps {
  readonly project: string;
  readonly fields: Fields;
}

/** Summarizes a memory category: what would be done, then both texts, and the way back. */
export function Compaction({ project, fields }: CompactionProps) {
  const projectPath = project;
  const sources = useLoad({
    key: project,
    load: (signal) => call('GET /api/knowledge/x/sources', { projectPath }, signal),
  });
  const files = (sources.data?.sources ?? []).flatMap(({ sourceFile }) =>
    CATEGORY_FILE.test(sourceFile) ? [sourceFile] : [],
  );
  const chosen = files.find((file) => categoryOf(file) === fields['category']) ?? files[0];
  return (
    <section class="panel stack" aria-labelledby="compaction-title">
      <h2 id="compaction-title">Compaction of memory</h2>
      <Failure error={sources.error} />
      {sources.data && chosen === undefined && <p class="muted">There are no memory categories.</p>}
      {chosen !== undefined && (
        <>
          <div class="row">
            <Choice
              label="Category"
              name="category"
              value={categoryOf(chosen)}
              options={files.map((file) => [categoryOf(file), categoryOf(file)] as const)}
            />
            <label class="field narrow">
              <span>Tokens above which it is too long</span>
              <input
                inputMode="numeric"
                value={fields['threshold'] ?? ''}
                placeholder={figure(COMPACTION_THRESHOLD_TOKENS)}
                onInput={({ currentTarget }) => change({ threshold: currentTarget.value })}
              />
            </label>
          </div>
          <Category
            key={`${chosen} ${fields['threshold']}`}
            project={project}
            file={chosen}
            threshold={Number(fields['threshold']) || undefined}
          />
        </>
      )}
    </section>
  );
}

const CATEGORY_FILE = /(^|\/)memory\/[^/]+\.md$/;

function categoryOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1, -'.md'.length);
}

interface CategoryProps {
  readonly project: string;
  readonly file: string;
  readonly threshold: number | undefined;
}

function Category({ project, file, threshold }: CategoryProps) {
  const request = {
    projectPath: project,
    category: categoryOf(file),
    ...(threshold !== undefined && { threshold }),
  };
  const check = useLoad({
    key: JSON.stringify(request),
    load: (signal) => call('POST /api/knowledge/x/compact', { ...request, dryRun: true }, signal),
    delayMs: 200,
  });
  const now = useLoad({
    key: file,
    load: () => call('GET /api/knowledge/x/lines', { projectPath: project, sourceFile: file }),
  });
  const draft = useAction(() => call('POST /api/knowledge/x/compact/preview', request));
  const compaction = useAction(() => call('POST /api/knowledge/x/compact', request));
  const restoring = useAction(async () => {
    const { projectPath, category } = request;
    await call('POST /api/knowledge/x/compact/restore', { projectPath, category });
    draft.forget();
    compaction.forget();
  });
  const isTooLong = (check.data?.tokensBefore ?? 0) > (threshold ?? COMPACTION_THRESHOLD_TOKENS);
  const isDone = compaction.result?.compacted === true;
  const report = compaction.result ?? draft.result ?? check.data;
  const isBusy = draft.isRunning || compaction.isRunning || restoring.isRunning;
  const before = draft.result?.before ?? now.data?.text;
  return (
    <>
      <Failure error={check.error ?? draft.error ?? compaction.error ?? restoring.error} />
      <p role="status" aria-busy={isBusy}>
        {draft.isRunning ? 'The model is writing a summary …' : report && sentenceOf(report)}
      </p>
      <p class="row">
        {draft.result?.after === undefined && (
          <button type="button" disabled={!isTooLong || isBusy} onClick={draft.run}>
            Write a summary
          </button>
        )}
        {draft.result?.after !== undefined && !isDone && (
          <Confirmed
            action="Replace the text"
            consequence="The new text will be written in place of the old one. The old text is kept, and can be put back."
            disabled={isBusy}
            onConfirm={compaction.run}
          />
        )}
        {isDone && (
          <button type="button" disabled={isBusy} onClick={restoring.run}>
            Put the old text back
          </button>
        )}
        <small>A summary is shown beside the old text before anything is replaced.</small>
      </p>
      {before !== undefined && <SideBySide before={before} after={draft.result?.after} />}
    </>
  );
}

function sentenceOf({
  reason,
  tokensBefore,
  tokensAfter,
}: Answer<'POST /api/knowledge/x/compact'>) {
  const [before, after] = [Math.round(tokensBefore), Math.round(tokensAfter)];
  const size = before === after ? `${figure(before)}` : `${figure(before)} → ${figure(after)}`;
  return `${size} tokens. ${reason}`;
}
