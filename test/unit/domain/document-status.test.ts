import { describe, expect, it } from 'vitest';
import {
  mayHoldStatus,
  readRetiredStatus,
  retiredStatusInText,
} from '../../../src/domain/chunks/document-status.js';
import { demoteRetired } from '../../../src/domain/ranking/scored-chunk.js';
import { chunk } from '../../support/chunks.js';

describe('the frontmatter of a document', () => {
  it.each([
    [{ status: 'superseded by ADR-0002' }, 'superseded'],
    [{ status: 'Superseded by [ADR-2](0002.md)' }, 'superseded'],
    [{ status: ' DEPRECATED' }, 'deprecated'],
    [{ status: ['rejected'] }, 'rejected'],
    [{ superseded_by: 'adr-2.md' }, 'superseded'],
    [{ Status: 'Deprecated' }, 'deprecated'],
    [{ 'Superseded by': 'adr-2.md' }, 'superseded'],
    [{ status: '~~accepted~~ **superseded**' }, 'superseded'],
    [{ 'Superseded-By': 'adr-2.md' }, 'superseded'],
    [{ status: 'Superceded by 2' }, 'superseded'],
    [{ status: 'accepted', superseded_by: 2 }, 'superseded'],
  ])('%j says that it does not hold', (frontmatter, status) => {
    expect(readRetiredStatus(frontmatter)).toBe(status);
  });

  it.each([
    {},
    null,
    'superseded',
    { status: 'accepted' },
    { status: 'not superseded' },
    { superseded_by: '' },
    { superseded_by: [] },
    { superseded_by: null },
    { superseded_by: { adr: 2 } },
    { supersedes: 'a' },
  ])('%j does not', (frontmatter) => {
    expect(readRetiredStatus(frontmatter)).toBeUndefined();
  });
});

it.each([
  ['Status: accepted', true],
  ['superseded-by: 2', true],
  ['"\\x73tatus": rejected', true],
  ['title: Queues', false],
])('the frontmatter %j may hold a status: %j', (yaml, expected) => {
  expect(mayHoldStatus(yaml)).toBe(expected);
});

describe('the text of a decision', () => {
  it.each([
    ['# 1. Queues\n\nDate: 2026-01-02\n\n## Status\n\nSuperseded by [2](0002.md)\n', 'superseded'],
    ['# 1. Queues\r\n\r\n## Status\r\n\r\nSuperceded by 2\r\n', 'superseded'],
    ['# Queues\n\n### Status ###\n**Deprecated**\n', 'deprecated'],
    [
      '# Queues\n\n* Status: superseded by [ADR-2](0002.md)\n* Deciders: Ann\n\n## Context\n',
      'superseded',
    ],
    ['# Queues\n\n**Status:** Rejected\n', 'rejected'],
    ['# Queues\n\nStatus: [superseded](2.md)\n', 'superseded'],
    ['# Queues\n\nStatus\n------\n\nSuperseded by 2\n', 'superseded'],
    ['# Queues\n\n## Status: Superseded\n', 'superseded'],
    ['# Queues\n\n## Status\n\n- `Superseded`\n', 'superseded'],
    ['# Queues\n\n## Status\n\n> ❌ Rejected\n', 'rejected'],
    ['# Queues\n\n## Status\n<!-- one word -->\nDeprecated\n', 'deprecated'],
    ['# Queues\n\n- Status: ~~accepted~~ superseded\n', 'superseded'],
    ['# Queues\n\n| Status | Superseded |\n|---|---|\n', 'superseded'],
    ['# Queues\n\nIssue ##2.\n\nStatus: rejected\n', 'rejected'],
  ])('%j says that it does not hold', (text, status) => {
    expect(retiredStatusInText(text)).toBe(status);
  });

  it.each([
    '# Queues\n\n## Status\n\nAccepted, rejected before\n',
    '# Orders\n\n## States\n\nStatus: rejected\n',
    '# Orders\n\nThe status: rejected means that it failed.\n',
    '# Orders\n\n```yaml\nstatus: rejected\n```\n',
    '# Orders\n\n## Status\n\n## Rejection\n\nRejected orders stay.\n',
    '# Orders\n\n## Status of orders\n\nRejected orders stay.\n',
    '',
  ])('%j does not', (text) => expect(retiredStatusInText(text)).toBeUndefined());
});

describe('a superseded document', () => {
  const order = (...rows: readonly (readonly [string, (number | undefined)?, string?])[]) =>
    demoteRetired(
      rows.map(([id, relevance, tag]) => ({
        chunk: chunk('docs/adr.md', 0, { id, ...(tag !== undefined && { tags: [tag] }) }),
        score: 0,
        ...(relevance !== undefined && { relevance }),
      })),
    ).map(({ chunk }) => chunk.id);

  it('ranks after chunks that are at least half as relevant', () => {
    expect(order(['old', 0.9, 'superseded'], ['new', 0.6], ['other', 0.2])).toEqual([
      ...['new', 'old', 'other'],
    ]);
    expect(order(['old', 0.9, 'rejected'], ['older', 0.9, 'deprecated'], ['new', 0.5])).toEqual([
      ...['new', 'old', 'older'],
    ]);
    expect(order(['old', 0.8, 'superseded'], ['new', 0.4])).toEqual(['new', 'old']);
  });

  it('ranks last if no relevance is known', () => {
    expect(order(['old', undefined, 'superseded'], ['new'], ['other'])).toEqual([
      ...['new', 'other', 'old'],
    ]);
  });

  it('is not moved forward, and stays first if nothing else is an answer', () => {
    expect(order(['new', 0.9], ['old', 0.8, 'superseded'], ['far', 0.1])).toEqual([
      ...['new', 'old', 'far'],
    ]);
    expect(order(['old', 0.9, 'superseded'], ['far', 0.1])).toEqual(['old', 'far']);
  });
});
