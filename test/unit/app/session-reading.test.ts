import { beforeEach, describe, expect, it } from 'vitest';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';

const P = '/project';

let world: CoreInMemory;

beforeEach(() => {
  world = coreInMemory();
  put('2026-11-01-a1', head('claude', '2026-11-01T08:00:00.000Z', 'Why so slow?'));
  put('2026-11-01-a1-2', head('claude', '2026-11-01T12:00:00.000Z', 'And then?'));
  put('2026-11-01-b2', head('codex', '2026-11-01T09:00:00.000Z', 'Add a \\"test\\"'));
  put('2026-11-02-c3', '# Cut by hand\n');
});

function put(name: string, text: string): void {
  world.ports.files.set(`.knowledge/sessions/${name}.md`, text);
}

function head(agent: string, started: string, title: string): string {
  const fields = `agent: "${agent}"\nsession: "s"\nstarted: "${started}"\ntitle: "${title}"`;
  return `---\n${fields}\n---\n\n## ${title}\n<!-- ${started} -->\n\ntext\n`;
}

const listed = async (wanted: object = {}) => {
  const { total, sessions } = await world.useCases.sessions.list({ projectPath: P, ...wanted });
  return [total, ...sessions.map(({ title }) => title)];
};

describe('a list of sessions', () => {
  it('lists the newest first, with the metadata in their files', async () => {
    const { total, sessions } = await world.useCases.sessions.list({ projectPath: P });
    expect(total).toBe(3);
    expect(sessions).toEqual([
      {
        sourceFile: '.knowledge/sessions/2026-11-02-c3.md',
        sourceFiles: ['.knowledge/sessions/2026-11-02-c3.md'],
        started: '2026-11-02',
        title: '2026-11-02-c3',
      },
      expect.objectContaining({ agent: 'codex', title: 'Add a "test"' }),
      {
        sourceFile: '.knowledge/sessions/2026-11-01-a1.md',
        sourceFiles: [
          '.knowledge/sessions/2026-11-01-a1.md',
          '.knowledge/sessions/2026-11-01-a1-2.md',
        ],
        agent: 'claude',
        session: 's',
        started: '2026-11-01T08:00:00.000Z',
        title: 'Why so slow?',
      },
    ]);
  });

  it('is filtered by agent and day, page by page', async () => {
    expect(await listed({ agent: 'claude' })).toEqual([1, 'Why so slow?']);
    expect(await listed({ since: '2026-11-02' })).toEqual([1, '2026-11-02-c3']);
    expect(await listed({ until: '2026-11-01', limit: 1 })).toHaveLength(2);
    expect(await listed({ agent: 'codex', until: '2026-10-31' })).toEqual([0]);
  });

  it('is empty if no session was kept', async () => {
    expect(await coreInMemory().useCases.sessions.list({ projectPath: P })).toEqual({
      total: 0,
      sessions: [],
    });
  });
});
