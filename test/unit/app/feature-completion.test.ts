import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type KnowledgeError, ModelCallError } from '../../../src/domain/errors.js';
import type { FakeSummarizer } from '../../fakes/fake-summarizer.js';
import {
  type Completion,
  JSON_ERRORS,
  startCompletion,
  WAL,
  WAL_PARAGRAPH,
} from '../../support/feature-completion.js';

const LONG = `# storage\n\n${'word '.repeat(39_000)}\n`;

let extractor: Completion['extractor'];
let summarizer: Completion['summarizer'];
let world: Completion['world'];
let complete: Completion['complete'];

beforeEach(async () => {
  ({ extractor, summarizer, world, complete } = await startCompletion());
});
afterEach(() => world.dispose());

describe('what the model is told of a finished feature', () => {
  it('is title, description, the end of the output and the reflection', async () => {
    await world.write('features/f-1/agent-output.md', `${'a'.repeat(20_000)}${'z'.repeat(19_999)}`);
    await world.write('features/f-1/reflection.md', 'It went well.');
    await complete();
    expect(extractor.calls).toEqual([
      {
        title: 'Search',
        description: 'Fast.',
        agentOutput: `a${'z'.repeat(19_999)}`,
        reflection: 'It went well.',
      },
    ]);
  });

  it('is its id as title where feature.json is broken or missing', async () => {
    await world.write('features/f-1/feature.json', '{');
    await complete();
    expect(extractor.calls).toEqual([
      { title: 'f-1', description: '', agentOutput: '', reflection: '' },
    ]);
  });
});

describe('the reflection of a feature', () => {
  it('is written where there is none, indexed, and teaches the next feature', async () => {
    await complete(WAL);
    expect(await world.read('features/f-1/reflection.md')).toBe(
      `# Search\n\nFast.\n\n## Use WAL\n\n${WAL.content}\n`,
    );
    const { section } = await world.features.lessonsFor(world.path, {
      title: 'Readers wait',
      description: 'for the writer',
    });
    expect(section).toContain(WAL.content);
  });

  it('is left alone where there is one', async () => {
    await world.write('features/f-1/reflection.md', '');
    await complete(WAL);
    expect(await world.read('features/f-1/reflection.md')).toBe('');
  });

  it('is left alone where it came while the model was thinking', async () => {
    extractor.extractLessons = async () => {
      await world.write('features/f-1/reflection.md', 'By the agent.');
      return [WAL];
    };
    await world.features.completeFeature(world.path, 'f-1');
    expect(await world.read('features/f-1/reflection.md')).toBe('By the agent.');
  });

  it('is not written where nothing was learned', async () => {
    await complete();
    await expect(world.read('features/f-1/reflection.md')).rejects.toThrow('ENOENT');
  });

  it('holds what is known already too, for it is of this feature', async () => {
    await complete(WAL);
    await world.write('features/f-2/agent-output.md', 'Done.');
    const wakes = world.enrichment.wakes;
    await world.features.completeFeature(world.path, 'f-2');
    expect(world.enrichment.wakes).toBeGreaterThan(wakes);
    expect(await world.read('features/f-2/reflection.md')).toContain(WAL.content);
  });
});

describe('a completion', () => {
  it.each([
    ['unknown', 'not_found'],
    ['../f-1', 'invalid_request'],
    ['.', 'invalid_request'],
    ['', 'invalid_request'],
  ])('is refused for the feature %j', async (id, code) => {
    const refused = world.features.completeFeature(world.path, id);
    await expect(refused).rejects.toMatchObject({ code });
    expect(extractor.calls).toEqual([]);
  });

  it('says what to do where no model is set', async () => {
    extractor.available = false;
    const error = await complete(WAL).catch((thrown: KnowledgeError) => thrown);
    expect(error).toMatchObject({ code: 'model_unavailable' });
    expect(error).toHaveProperty('message', expect.stringContaining('OPENAI_BASE_URL'));
  });

  it('keeps the cause where the model fails, and changes nothing', async () => {
    const cause = new ModelCallError('unusable', 'Garbage.');
    extractor.failure = cause;
    await expect(complete(WAL)).rejects.toMatchObject({ code: 'model_unavailable', cause });
    await expect(world.read('memory/storage.md')).rejects.toThrow('ENOENT');
    extractor.failure = undefined;
    expect(await complete(WAL)).toMatchObject({ added: 1 });
  });

  it('does not hide a bug behind the model', async () => {
    extractor.extractLessons = async () => {
      throw new TypeError('A bug.');
    };
    await expect(complete(WAL)).rejects.toThrow(TypeError);
  });

  it('waits for the one before it, so that two at once store a lesson once', async () => {
    await world.write('features/f-2/agent-output.md', 'Done.');
    extractor.lessons = [WAL];
    const reports = await Promise.all(
      ['f-1', 'f-2'].map((id) => world.features.completeFeature(world.path, id)),
    );
    expect(reports.map(({ added }) => added)).toEqual([1, 0]);
  });
});

describe('a category that grew over 50,000 tokens', () => {
  beforeEach(async () => {
    summarizer.maxCharacters = 1_000_000;
    await world.write('memory/storage.md', LONG);
  });

  it('is compacted', async () => {
    const summary = `# storage\n\n${'word '.repeat(5000)}\n\n### Use WAL (2026-01-05)\nUse it.`;
    summarizer.answer = () => summary;
    expect(await complete(WAL, JSON_ERRORS)).toMatchObject({ added: 2, compacted: ['storage'] });
    expect(await world.read('memory/storage.md')).toBe(`${summary}\n`);
  });

  it('is not compacted where it did not grow', async () => {
    expect(await complete(JSON_ERRORS)).toMatchObject({ compacted: [] });
    expect(summarizer.calls).toEqual([]);
  });

  it.each<[string, Partial<FakeSummarizer>]>([
    ['the model is gone', { available: false }],
    ['the model fails', { failure: new ModelCallError('failed', 'Down.') }],
    ['the summary is not shorter', { answer: (text) => text }],
  ])('is kept with its lessons where %s, which is said', async (_, trouble) => {
    Object.assign(summarizer, trouble);
    expect(await complete(WAL)).toMatchObject({ added: 1, compacted: [] });
    expect(await world.read('memory/storage.md')).toBe(`${LONG}\n${WAL_PARAGRAPH}`);
    expect(world.logger.messages('warn').join()).toMatch(/compact/i);
  });
});
