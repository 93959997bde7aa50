import { expect, it } from 'vitest';
import { reflectionText } from '../../../src/domain/lessons/lesson-text.js';

it('writes a reflection of title, description and one section per lesson', () => {
  const text = reflectionText({
    title: 'Faster search',
    description: 'Search takes\ntoo long.',
    lessons: [
      { title: 'WAL', content: 'Use WAL mode.' },
      { title: 'Locks', content: 'Keep them short.' },
    ],
  });
  expect(text).toBe(
    '# Faster search\n\nSearch takes too long.\n\n## WAL\n\nUse WAL mode.\n\n## Locks\n\nKeep them short.\n',
  );
});

it('lets no text open a section, a fence or a list', () => {
  const text = reflectionText({
    title: 'One\n## Two',
    description: '```\n## Three',
    lessons: [{ title: 'Four', content: '## Five' }],
  });
  expect(text).toBe('# One ## Two\n\n\\``` ## Three\n\n## Four\n\n\\## Five\n');
});

it('leaves out a description that is blank', () => {
  const text = reflectionText({ title: 'T', description: ' \n', lessons: [] });
  expect(text).toBe('# T\n');
});
