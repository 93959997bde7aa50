import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chunksIn, verifyDatabase } from '../support/database-inspection.js';
import { type Client, startClient } from '../support/running-service-calls.js';
import { TempProjects } from '../support/temp-project.js';

const projects = new TempProjects();
afterAll(() => projects.removeAll());

describe('ingest routes', () => {
  let client: Client;
  beforeAll(async () => {
    client = await startClient('hybrid');
  });
  afterAll(() => client.service.stop());

  test('answer the same number again, and count what the index holds', async () => {
    const project = projects.make();
    for (const id of ['a', 'b', 'c']) {
      project.writeReflection(id, `reflection ${id}`);
      project.writeOutput(id, `output ${id}`);
    }
    for (const kind of ['reflections', 'agent-outputs'] as const) {
      expect(await client.indexed(project, kind)).toBe(3);
      expect(await client.indexed(project, kind)).toBe(3);
    }
    project.writeReflection('a', 'changed');
    project.writeReflection('d', 'new');
    project.delete('.knowledge/features/b');
    expect(await client.indexed(project, 'reflections')).toBe(3);
    expect(chunksIn(project.database).map((row) => row.source_file)).toEqual([
      '.knowledge/features/a/agent-output.md',
      '.knowledge/features/a/reflection.md',
      '.knowledge/features/b/agent-output.md',
      '.knowledge/features/c/agent-output.md',
      '.knowledge/features/c/reflection.md',
      '.knowledge/features/d/reflection.md',
    ]);
    expect(await client.indexed(project, 'agent-outputs')).toBe(2);
    expect(chunksIn(project.database)).toHaveLength(5);
  });

  test('many at once on one project leave one generation of every file', async () => {
    const project = projects.make();
    for (let i = 0; i < 20; i += 1) project.writeReflection(`f${i}`, `one ${i}\n\ntwo ${i}`);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        i % 2 === 0 ? client.post('/ingest/reflections', project) : client.rebuild(project),
      ),
    );
    for (const answer of answers) expect(answer.status).toBe(200);
    expect(chunksIn(project.database)).toHaveLength(40);
    verifyDatabase(project.database);
  });
});
