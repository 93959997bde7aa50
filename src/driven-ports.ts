/** The types of all ports that a program can implement itself. */
export type * from './ports/chunk-import.js';
export type * from './ports/chunk-repository.js';
export type * from './ports/citation-store.js';
export type * from './ports/clock.js';
export type * from './ports/embedder.js';
export type * from './ports/frontmatter-parser.js';
export type * from './ports/keyword-index.js';
export type * from './ports/language-model.js';
export type * from './ports/logger.js';
export type * from './ports/page-fetcher.js';
export type * from './ports/project-directories.js';
export type * from './ports/project-files.js';
export type * from './ports/project-stores.js';
export type * from './ports/source-repository.js';
export type * from './ports/source-watcher.js';
export type * from './ports/vector-index.js';
