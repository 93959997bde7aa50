import { beforeEach, describe, expect, it } from 'vitest';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';

const FILE = '.knowledge/settings.json';

let world: CoreInMemory;
const setup = () => world.core.setup.writeSettings({ projectPath: '/project' });
const written = () => JSON.parse(world.ports.files.text(FILE) ?? '{}');

beforeEach(() => {
  world = coreInMemory();
});

describe('the place for settings', () => {
  it('is created if there is none, without a setting', async () => {
    expect(await setup()).toEqual({ settingsFile: FILE, added: true });
    expect(world.ports.files.text(FILE)).toBe('{\n  "knowledgeStore": {}\n}\n');
  });

  it.each(['{"theirs": [1], "knowledgeStore": {"maxChunkSize": 500}}', '{"knowledgeStore": {}}'])(
    'is not made again, and %s stays as it is',
    async (text) => {
      world.ports.files.set(FILE, text);
      expect(await setup()).toEqual({ settingsFile: FILE, added: false });
      expect(world.ports.files.text(FILE)).toBe(text);
    },
  );

  it('is added to a file of other programs', async () => {
    world.ports.files.set(FILE, '{"theirs": {"a": 1}}');
    expect(await setup()).toMatchObject({ added: true });
    expect(written()).toEqual({ theirs: { a: 1 }, knowledgeStore: {} });
  });

  it.each([
    ['{', 'it is not JSON'],
    ['[1]', 'it is not a JSON object'],
    ['{"knowledgeStore": 5}', 'its key knowledgeStore is not an object'],
  ])('does not replace %s', async (text, reason) => {
    world.ports.files.set(FILE, text);
    await expect(setup()).rejects.toMatchObject({
      code: 'not_readable',
      message: `${FILE} was left as it is, because ${reason}; repair or remove it.`,
    });
    expect(world.ports.files.text(FILE)).toBe(text);
  });

  it('does not replace a file that may not be read', async () => {
    world.ports.files.set(FILE, '{}');
    world.ports.files.refuse(FILE, 'it is too large');
    await expect(setup()).rejects.toThrow('because it is too large;');
  });
});
