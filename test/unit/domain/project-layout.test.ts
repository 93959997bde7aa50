import { describe, expect, it } from 'vitest';
import {
  categoryPath,
  documentNames,
  featureOfSource,
  featurePath,
  historyFolder,
  isCategoryDocument,
  isMemoryPath,
  namedPath,
  ownFolders,
  projectKeyPath,
  removedSessionsPath,
  SAVED_TYPES,
  savedFileAt,
  savedPath,
  settingsPath,
  sourcesOfFeature,
  writtenFolders,
} from '../../../src/domain/project-layout.js';

describe('the application directory', () => {
  it('has a folder for each kind of source that the service writes or reads by itself', () => {
    const names = ['features', 'memory', 'sessions', 'notes', 'urls', 'digests', 'documents'];
    expect(ownFolders('.app')).toEqual(names.map((name) => `.app/${name}`));
  });

  it.each([
    [featurePath('.app', 'f1'), 'features/f1/feature.json'],
    [categoryPath('.app', 'locks'), 'memory/locks.md'],
    [historyFolder('.app'), 'memory/.history'],
    [settingsPath('.app'), 'settings.json'],
    [projectKeyPath('.app'), 'project-key'],
    [removedSessionsPath('.app'), 'sessions/.removed'],
  ])('has %s at its place', (path, place) => {
    expect(path).toBe(`.app/${place}`);
  });

  it('has every folder but that of features written by the service', () => {
    const names = ['memory', 'sessions', 'notes', 'urls', 'digests', 'documents'];
    expect(writtenFolders('.app')).toEqual(names.map((name) => `.app/${name}`));
  });

  it('says to which feature a source belongs', () => {
    expect(sourcesOfFeature('.app', 'f1')).toEqual([
      '.app/features/f1/reflection.md',
      '.app/features/f1/agent-output.md',
    ]);
    for (const path of sourcesOfFeature('.app', 'f1')) {
      expect(featureOfSource('.app', path)).toBe('f1');
    }
  });

  it.each([
    '.app/features/f1/feature.json',
    '.app/features/f1/deep/reflection.md',
    '.app/features/f1/reflection.md/deep',
    '.app/features/reflection.md',
    'docs/.app/features/f1/reflection.md',
    '.app/imports/f1/reflection.md',
    'reflection.md',
  ])('has no source of a feature at %s', (path) => {
    expect(featureOfSource('.app', path)).toBeUndefined();
  });

  it.each(SAVED_TYPES)('says which file of the type %s is at a path', (sourceType) => {
    const file = { sourceType, name: 'a.b' };
    expect(savedFileAt('.app', savedPath('.app', file))).toEqual(file);
  });

  it('gives every saved file but notes and documents the ending .md', () => {
    const name = 'a.MD';
    expect(SAVED_TYPES.map((sourceType) => savedPath('.app', { sourceType, name }))).toEqual([
      '.app/notes/a.MD',
      '.app/urls/a.MD.md',
      '.app/digests/a.MD.md',
      '.app/documents/a.MD',
    ]);
  });

  it.each([
    '.app/notes/a.txt',
    '.app/notes/.md',
    '.app/urls/deep/a.md',
    '.app/notes/.deep/a.md',
    '.app/notes/a.md.bak',
    '.app/memory/a.md',
    'docs/.app/notes/a.md',
  ])('has no saved file at %s', (path) => {
    expect(savedFileAt('.app', path)).toBeUndefined();
  });

  it('has categories in its memory alone', () => {
    expect(isMemoryPath('.app', '.app/memory/a.md')).toBe(true);
    expect(isMemoryPath('.app', '.app/memory-of-old/a.md')).toBe(false);
    expect(isMemoryPath('.app', 'docs/.app/memory/a.md')).toBe(false);
  });
});

it('names markdown files without their ending, and takes for a category what begins with a letter or digit', () => {
  const names = documentNames(['a.md', 'b.md.bak', 'x\n.md', '.md', 'é.md', '_index.md', '7.md']);
  expect(names).toEqual(['a', 'x\n', 'é', '_index', '7']);
  expect(names.filter(isCategoryDocument)).toEqual(['a', 'x\n', 'é', '7']);
});

it.each([
  ['docs/a.md', 'docs/a.md'],
  ['.app/memory/a.md', 'a.md'],
  ['.app/documents/docs/a.md', 'docs/a.md'],
  ['.app/features/f-1/reflection.md', 'f-1'],
  ['.app/features/a.md', 'a.md'],
  ['.app/notes/a\nb.md', 'a\nb.md'],
  ['.app/rules/a.md', '.app/rules/a.md'],
  ['.app/a.md', '.app/a.md'],
  ['docs/.app/memory/a.md', 'docs/.app/memory/a.md'],
])('somebody chose of the path %s %s', (path, chosen) => {
  expect(namedPath(path)).toBe(chosen);
});
