import { MODEL_STATES } from '../project/facts.js';
import { call } from '../shared/api.js';
import { useLoad } from '../shared/load.js';
import { Bar, Failure } from '../shared/parts.js';
import { bytes, figure } from '../shared/text.js';

/** Shows the embedding model, and how many chunks it has still to embed. */
export function ModelState({ project }: { readonly project: string }) {
  const { data, error } = useLoad({
    key: project,
    load: (signal) => call('GET /api/knowledge/x/status', { projectPath: project }, signal),
    repeatAfter: ({ model, embeddings }) => model.state === 'loading' || embeddings.pending > 0,
  });
  if (data === undefined) return <Failure error={error} />;
  const { model, embeddings } = data;
  const total = embeddings.complete + embeddings.pending;
  return (
    <section class="panel stack" aria-labelledby="model-title">
      <h2 id="model-title">Model</h2>
      <p>
        <span class="path">{model.name}</span>: <strong>{MODEL_STATES[model.state]}</strong>
      </p>
      {model.download && (
        <p role="status">
          {bytes(model.download.done)} of {bytes(model.download.total)} downloaded
          <Bar share={model.download.done / model.download.total} kind="score" />
        </p>
      )}
      <p>
        {figure(embeddings.complete)} of {figure(total)} chunks have a vector
        <Bar share={total === 0 ? 0 : embeddings.complete / total} kind="meaning" />
      </p>
    </section>
  );
}
