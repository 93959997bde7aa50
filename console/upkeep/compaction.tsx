import { call } from '../shared/api.js';
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
                placeholder="50000"
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
  const preview = useLoad({
    key: JSON.stringify(request),
    load: (signal) => call('POST /api/knowledge/x/compact', { ...request, dryRun: true }, signal),
    delayMs: 200,
  });
  const textOf = () =>
    call('GET /api/knowledge/x/lines', { projectPath: project, sourceFile: file });
  const before = useLoad({ key: file, load: textOf });
  const compaction = useAction(async () => {
    const report = await call('POST /api/knowledge/x/compact', request);
    return { report, after: report.compacted ? (await textOf()).text : undefined };
  });
  const restoring = useAction(async () => {
    const { projectPath, category } = request;
    const report = await call('POST /api/knowledge/x/compact/restore', { projectPath, category });
    compaction.forget();
    return report;
  });
  const isTooLong = preview.data?.reason.startsWith('It is over') === true;
  const { report, after } = compaction.result ?? {};
  return (
    <>
      <Failure error={preview.error ?? compaction.error ?? restoring.error} />
      <p role="status">
        {restoring.result ? 'The text from before stands there again. ' : ''}
        {(report ?? preview.data)?.reason}{' '}
        {report?.compacted
          ? `${figure(Math.round(report.tokensBefore))} → ${figure(Math.round(report.tokensAfter))} tokens.`
          : preview.data && `It has ${figure(Math.round(preview.data.tokensBefore))} tokens.`}
      </p>
      <p class="row">
        <Confirmed
          action="Summarize"
          consequence="The small language model will write a shorter text in place of this one. The old text is kept, and can be put back."
          disabled={!isTooLong || compaction.isRunning || after !== undefined}
          onConfirm={compaction.run}
        />
        {after !== undefined && (
          <button type="button" onClick={restoring.run}>
            Put the old text back
          </button>
        )}
      </p>
      {before.data && <SideBySide before={before.data.text} after={after} />}
    </>
  );
}
