import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPATIBLE, CONTRADICTING, type NotePair } from '../support/note-pairs.js';
import { directoryOfRealModel, eventually } from '../support/running-service.js';
import { type Client, okBody, startClient } from '../support/running-service-calls.js';
import type { TempProject } from '../support/temp-project.js';
import { testProjects } from '../support/test-projects.js';

const dataDir = directoryOfRealModel();

describe.skipIf(dataDir === undefined)('with the real model (skipped without ../shared)', () => {
  const projects = testProjects();
  let client: Client;
  let project: TempProject;

  beforeAll(async () => {
    client = await startClient('hybrid', { DATA_DIR: dataDir ?? '' });
    project = projects.make({});
    for (const [[title, content]] of CONTRADICTING) await save(title, content);
    await eventually(
      async () => {
        const { embeddings } = okBody(await client.status(project));
        return embeddings.pending === 0 && embeddings.complete === CONTRADICTING.length;
      },
      { withinMs: 60_000, everyMs: 100 },
    );
  }, 90_000);
  afterAll(() => client.service.stop());

  async function save(title: string, content: string) {
    const answer = await client.post('/x/notes', project, { title, content, force: true });
    return JSON.parse(answer.text) as Saved;
  }

  /** Whether the known note is reported when the later one is saved, which is deleted again. */
  async function isReported([[known], [title, content]]: NotePair): Promise<boolean> {
    const { id, similarTo = [], warnings = [] } = await save(title, content);
    await client.deleteNote(project, id);
    expect(warnings.length > 0).toBe(similarTo.length > 0);
    const slug = known.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    return similarTo.some(({ sourceFile }) => sourceFile.endsWith(`/${slug}.md`));
  }

  async function countReported(pairs: readonly NotePair[]): Promise<number> {
    let count = 0;
    for (const pair of pairs) count += Number(await isReported(pair));
    return count;
  }

  it('reports at least 18 of 20 contradictions, and at most 3 of 20 additions', async () => {
    expect(await countReported(CONTRADICTING)).toBeGreaterThanOrEqual(18);
    expect(await countReported(COMPATIBLE)).toBeLessThanOrEqual(3);
  });
});

interface Saved {
  readonly id: string;
  readonly similarTo?: readonly { readonly sourceFile: string }[];
  readonly warnings?: readonly string[];
}
