import { COMPACTION_THRESHOLD_TOKENS } from '../../src/domain/limits.js';
import { type Answer, call } from '../shared/api.js';
import { Choice } from '../shared/choice.js';
import { Confirmed } from '../shared/confirmed.js';
import { useLoad } from '../shared/load.js';
import { Failure, Preformatted } from '../shared/parts.js';
import { change, type Fields } from '../shared/place.js';
import { figure } from '../shared/text.js';
import { useAction } from '../shared/use-action.js';

interface CompactionProps {
  readonly project: string;
  readonly fields: Fields;
}

/** Summarizes a memory category: shows a preview, and compacts it after confirmation. */
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
              <span>Limit in tokens</span>
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
  const compaction = useAction(async () => {
    const report = await call('POST /api/knowledge/x/compact', request);
    now.again();
    return report;
  });
  const isTooLong = (check.data?.tokensBefore ?? 0) > (threshold ?? COMPACTION_THRESHOLD_TOKENS);
  const report = compaction.result ?? check.data;
  return (
    <>
      <Failure error={check.error ?? compaction.error} />
      <p role="status" aria-busy={compaction.isRunning}>
        {compaction.isRunning ? 'The model is writing a summary …' : report && sentenceOf(report)}
      </p>
      <Confirmed
        action="Summarize"
        consequence="A summary will replace the text, which is kept in memory/.history."
        disabled={!isTooLong || compaction.isRunning || compaction.result?.compacted === true}
        onConfirm={compaction.run}
      />
      {now.data && <Preformatted text={now.data.text} />}
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
