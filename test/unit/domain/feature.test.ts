import { describe, expect, it } from 'vitest';
import {
  type Feature,
  finishedSiblings,
  readFeature,
} from '../../../src/domain/lessons/feature.js';

describe('a feature.json', () => {
  it('reads title, description, epic, status and the time when the feature was finished', () => {
    const json = JSON.stringify({
      id: 'another',
      title: 'Search',
      description: 'Fast.',
      epicId: 'e-1',
      status: 'done',
      updatedAt: '2026-01-02T00:00:00.000Z',
      completedAt: '2026-01-01T00:00:00.000Z',
    });
    expect(readFeature('f-1', json)).toStrictEqual({
      id: 'f-1',
      title: 'Search',
      description: 'Fast.',
      epicId: 'e-1',
      status: 'done',
      finishedAt: Date.UTC(2026, 0, 1),
    });
  });

  it('reads the dependencies of the feature', () => {
    const json = '{"dependencies": ["login", 7, " ", "cache"]}';
    expect(readFeature('f-1', json)).toStrictEqual({ id: 'f-1', dependencies: ['login', 'cache'] });
    const many = JSON.stringify({ dependencies: Array(101).fill('login') });
    expect(readFeature('f-1', many).dependencies).toHaveLength(100);
    expect(readFeature('f-1', '{"dependencies": "login"}')).toStrictEqual({ id: 'f-1' });
  });

  it.each(['', 'not json', 'null', '[]', '7', '"text"', '{}'])(
    'that reads %j tells nothing but the id',
    (json) => {
      expect(readFeature('f-1', json)).toStrictEqual({ id: 'f-1' });
    },
  );

  it('loses only the fields that do not fit', () => {
    const json =
      '{"title": 7, "description": " ", "epicId": ["e"], "status": "done", "__proto__": {"epicId": "e"}, "completedAt": 2026, "updatedAt": "soon", "createdAt": "1970-01-01T00:00:00Z"}';
    expect(readFeature('f-1', json)).toStrictEqual({ id: 'f-1', status: 'done', finishedAt: 0 });
  });
});

describe('the finished siblings of a feature', () => {
  const feature = { id: 'me', epicId: 'e' };
  const sibling = (id: string, rest: Partial<Feature> = {}): Feature => ({
    id,
    epicId: 'e',
    status: 'done',
    ...rest,
  });

  it('are of its epic, finished, and not itself', () => {
    const others = [
      sibling('me'),
      sibling('done'),
      sibling('completed', { status: 'completed' }),
      sibling('verified', { status: 'verified' }),
      sibling('open', { status: 'in_progress' }),
      sibling('elsewhere', { epicId: 'other' }),
      { id: 'bare' },
    ];
    const ids = finishedSiblings(feature, others).map(({ id }) => id);
    expect(ids).toEqual(['done', 'completed', 'verified']);
  });

  it('come newest first, those of unknown time last', () => {
    const others = [
      sibling('old', { finishedAt: 1 }),
      sibling('unknown'),
      sibling('new', { finishedAt: 3 }),
      sibling('middle', { finishedAt: 2 }),
    ];
    const ids = finishedSiblings(feature, others).map(({ id }) => id);
    expect(ids).toEqual(['new', 'middle', 'old', 'unknown']);
  });

  it('do not exist for a feature without an epic', () => {
    expect(finishedSiblings({ id: 'me' }, [{ id: 'other', status: 'done' }])).toEqual([]);
  });
});
