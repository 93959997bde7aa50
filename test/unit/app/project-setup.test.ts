import { beforeEach, describe, expect, it } from 'vitest';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';

const FILE = '.knowledge/settings.json';

let world: CoreInMemory;
const setup = () => world.core.setup.writeSettings({ projectPath: '/project' });
const writeFirst = () => world.core.setup.writeFirstSettings({ projectPath: '/project' });
const written = () => JSON.parse(world.ports.files.text(FILE) ?? '{}');

beforeEach(() => {
  world = coreInMemory();
});

describe('recommended settings', () => {
  it('are written where there are none', async () => {
    expect(await writeFirst()).toEqual({
      settingsFile: FILE,
      added: ['fusion', 'candidates'],
      kept: [],
    });
    expect(written()).toEqual({ knowledgeStore: { fusion: 'blend', candidates: 'union' } });
    expect(world.ports.files.text(FILE)).toMatch(/^\{\n {2}"knowledgeStore": [\s\S]*\n\}\n$/);
  });

  it('leave what is set, and what other programs keep there', async () => {
    const own = { fusion: 'rrf', maxChunkSize: 500 };
    world.ports.files.set(FILE, JSON.stringify({ theirs: [1], knowledgeStore: own }));
    expect(await writeFirst()).toBeUndefined();
    expect(await setup()).toMatchObject({ added: ['candidates'], kept: ['fusion'] });
    expect(written()).toEqual({ theirs: [1], knowledgeStore: { ...own, candidates: 'union' } });
  });

  it('are not written again', async () => {
    await setup();
    const { files } = world.ports;
    files.replaceText = () => Promise.reject(new Error('It was written.'));
    expect(await setup()).toMatchObject({ added: [], kept: ['fusion', 'candidates'] });
  });

  it('are added to a file of other programs', async () => {
    world.ports.files.set(FILE, '{"theirs": {}}');
    expect(await setup()).toMatchObject({ added: ['fusion', 'candidates'] });
    expect(written()).toHaveProperty('theirs');
  });

  it.each([
    ['{', 'it is not JSON'],
    ['[1]', 'it is not a JSON object'],
    ['{"knowledgeStore": 5}', 'its key knowledgeStore is not an object'],
  ])('do not replace %s', async (text, reason) => {
    world.ports.files.set(FILE, text);
    await expect(setup()).rejects.toMatchObject({
      code: 'not_readable',
      message: `${FILE} was left as it is, because ${reason}; repair or remove it.`,
    });
    expect(world.ports.files.text(FILE)).toBe(text);
  });

  it('do not replace a file that may not be read', async () => {
    world.ports.files.set(FILE, '{}');
    world.ports.files.refuse(FILE, 'it is too large');
    await expect(setup()).rejects.toThrow('because it is too large;');
  });
});
