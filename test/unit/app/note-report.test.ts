import { expect, it } from 'vitest';
import type { OpenProject } from '../../../src/app/projects/open-project.js';
import { type NoteReportDeps, reportNote } from '../../../src/app/saved/note-report.js';
import { coreInMemory } from '../../support/core-in-memory.js';

const P = '/project';
const SAVED = { id: 'a', sourceFile: '.knowledge/notes/a.md', chunks: 1, version: 'v1' };
const TEXT = { title: 'A', content: 'Text.', except: [] };

it.each([
  ['2025-12-31', { expired: true }],
  ['2999-12-31', {}],
])('a saved note says whether it has expired: %s', async (expires, expected) => {
  const { core } = coreInMemory();
  expect(await core.notes.addNote(P, { title: 'A', content: 'Text.', expires })).toEqual({
    ...SAVED,
    version: expect.any(String),
    ...expected,
  });
});

it('a saved note is reported even if it cannot be compared, which the log says', async () => {
  const { core, ports } = coreInMemory();
  const project: OpenProject = await core.projects.open(P);
  const embedder = {
    status: () => {
      throw new Error('The model is gone.');
    },
  };
  const options = { ...ports, embedder, shownId: (id: string) => id } as unknown as NoteReportDeps;
  const note = { saved: SAVED, text: TEXT, warnings: ['It contains a password.'] };
  expect(await reportNote(options, project, note)).toEqual({
    ...SAVED,
    warnings: ['It contains a password.'],
  });
  expect(ports.logger.entries.filter(({ level }) => level === 'warn')).toEqual([
    {
      level: 'warn',
      message: 'A note could not be compared with others.',
      fields: { reason: 'The model is gone.' },
    },
  ]);
});
