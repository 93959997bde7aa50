import { chunksIn } from '../../test/support/database-inspection.js';
import { API, type Client } from '../../test/support/running-service-calls.js';
import type { HttpAnswer } from '../../test/support/service-at-url.js';
import type { TempProject } from '../../test/support/temp-project.js';

const NAMES = 12;

/** Notes and documents that a client saves again and again, with the last confirmed generation of each. */
export class SavedTexts {
  /** Number of responses by status; 0 for no response. */
  readonly statuses = new Map<number, number>();
  readonly #written = new Map<string, number>();
  readonly #confirmed = new Map<string, number>();
  #turn = 0;
  #count = 0;

  /** Number of confirmed saves. */
  get count(): number {
    return this.#count;
  }

  /** Saves the next text, which is alternately a note and a document. */
  async save(client: Client, project: TempProject): Promise<void> {
    const name = `${this.#turn % 2 === 0 ? 'note' : 'document'}${this.#turn % NAMES}`;
    this.#turn += 1;
    const generation = (this.#written.get(name) ?? 0) + 1;
    this.#written.set(name, generation);
    const content = `The ${name} has the saved generation${generation}.`;
    const send = name.startsWith('note') ? sendNote : sendDocument;
    const status = await send(client, project, { name, content }).then(
      (answer) => answer.status,
      () => 0,
    );
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status !== 200 && status !== 201) return;
    this.#confirmed.set(name, Math.max(generation, this.#confirmed.get(name) ?? 0));
    this.#count += 1;
  }

  /** One sentence for each text of which the index holds neither the confirmed generation nor a later one. */
  missing({ database }: TempProject): readonly string[] {
    const contents = chunksIn(database).map(({ content }) => content);
    return [...this.#confirmed].flatMap(([name, confirmed]) => {
      const own = contents.filter((content) => content.includes(`The ${name} has`));
      const stored = own.map((content) => Number(/generation(\d+)/.exec(content)?.[1] ?? 0));
      return Math.max(0, ...stored) >= confirmed
        ? []
        : [`I5 ${name}: ${confirmed} was confirmed, ${stored.join() || 'nothing'} is stored`];
    });
  }
}

interface Text {
  readonly name: string;
  readonly content: string;
}

function sendDocument(client: Client, project: TempProject, { name: path, content }: Text) {
  return client.post('/x/documents', project, { path, content });
}

/** Saves a note. Replaces it if it was written before, confirmed or not. */
async function sendNote(
  client: Client,
  project: TempProject,
  { name: id, content }: Text,
): Promise<HttpAnswer> {
  const replaced = await client.service.request(`${API}/x/notes/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ projectPath: project.path, title: id, content }),
  });
  if (replaced.status !== 404) return replaced;
  return client.post('/x/notes', project, { title: id, id, content, force: true });
}
