import { describe, expect, it } from 'vitest';
import {
  categoryPath,
  featureOfSource,
  featurePath,
  historyFolder,
  isMemoryPath,
  ownFolders,
  projectKeyPath,
  SAVED_TYPES,
  savedFileAt,
  savedPath,
  settingsPath,
  sourcesOfFeature,
} from '../../../src/domain/project-layout.js';

describe('the application directory', () => {
  it('has a folder for each kind of source that the service writes or reads by itself', () => {
    const names = ['features', 'memory', 'notes', 'urls', 'digests', 'documents'];
    expect(ownFolders('.app')).toEqual(names.map((name) => `.app/${name}`));
  });

  it.each([
    [featurePath('.app', 'f1'), 'features/f1/feature.json'],
    [categoryPath('.app', 'locks'), 'memory/locks.md'],
    [historyFolder('.app'), 'memory/.history'],
    [settingsPath('.app'), 'settings.json'],
    [projectKeyPath('.app'), 'project-key'],
  ])('has %s at its place', (path, place) => {
    expect(path).toBe(`.app/${place}`);
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

  it.each([
    '.app/notes/a.txt',
    '.app/notes/.md',
    '.app/notes/deep/a.md',
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
