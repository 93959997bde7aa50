import { expect, it } from 'vitest';
import { displayTitle, lastHeading } from '../../../src/domain/chunks/display-title.js';

it.each([
  ['the heading where the text begins with none', 'Use WAL.\n\n### Later\nx', 'architecture'],
  [
    'the heading of any level above the text',
    '#### Escalation (2026-01-16)\ntext',
    'Escalation (2026-01-16)',
  ],
  ['the nearest of several', '# architecture\n\n### Queues\n\ntext', 'Queues'],
  ['an underlined heading', '\nQueues\n======\ntext', 'Queues'],
  ['the nearest of several that are underlined', 'Old\n===\n### Queues\ntext', 'Queues'],
  ['a heading without text under it', '### Queues', 'Queues'],
  ['no empty heading', '###\ntext', 'architecture'],
  ['no line of a fence', '```sh\n# comment\n```', 'architecture'],
  ['no heading in a quote', '> # quoted\ntext', 'architecture'],
  ['the heading of a blank text', ' \n', 'architecture'],
])('the title of a chunk is %s', (_, content, title) => {
  expect(displayTitle({ heading: 'architecture', content })).toBe(title);
});

it.each([
  ['## A\na\n### B\nb', 'B'],
  ['## A\na\n###\nb', 'A'],
  ['###\na', undefined],
  ['a', undefined],
])('the last heading of %j is %j', (content, heading) => {
  expect(lastHeading(content)).toBe(heading);
});

it('the title of a chunk is absent if there is no heading', () => {
  expect(displayTitle({ content: 'text' })).toBeUndefined();
});
