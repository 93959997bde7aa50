import {
  agentOutputPath,
  categoryPath,
  documentNames,
  featureOfSource,
  featuresFolder,
  isCategoryDocument,
  isMemoryPath,
  isSessionPath,
  memoryFolder,
  reflectionPath,
  SAVED_TYPES,
  savedFileAt,
  savedFolder,
  savedPath,
  sessionPath,
  sessionsFolder,
} from '../../domain/project-layout.js';
import type { Settings } from '../../domain/settings.js';
import type { FileListing, LeftOut, ProjectFileReader } from '../../ports/project-files.js';
import type { SourceFormat } from './source-format.js';
import type { SourceFormats } from './source-formats.js';

/** `saved`: notes, web pages, digests and documents. */
export type SourceGroup =
  | 'reflections'
  | 'agentOutputs'
  | 'categories'
  | 'saved'
  | 'sessions'
  | 'documentation';

/** Where to look for the files of a kind. */
interface SourcePlace {
  readonly files: Pick<ProjectFileReader, 'listFolder' | 'listBelow'>;
  readonly project: string;
  readonly appDir: string;
}

/** A kind of source in the application directory. */
export interface SourceKind {
  readonly group: SourceGroup;
  /** Whether a file is of this kind; it need not exist. */
  readonly owns: (appDir: string, sourceFile: string) => boolean;
  /** Lists the files of this kind, relative to the project. */
  readonly list: (place: SourcePlace) => Promise<FileListing>;
  readonly format: (formats: SourceFormats, settings: Settings) => SourceFormat;
}

/**
 * All kinds indexed regardless of patterns. A new kind needs an entry here, its group, and its folder in
 * `project-layout.ts`. Files owned by no kind are documentation.
 */
export const SOURCE_KINDS: readonly SourceKind[] = [
  {
    group: 'reflections',
    owns: (appDir, file) => isFeatureFile(appDir, file, reflectionPath),
    list: (place) => listFeatures(place, reflectionPath),
    format: (formats, settings) => formats.reflection(settings),
  },
  {
    group: 'agentOutputs',
    owns: (appDir, file) => isFeatureFile(appDir, file, agentOutputPath),
    list: (place) => listFeatures(place, agentOutputPath),
    format: (formats) => formats.agentOutput,
  },
  {
    group: 'categories',
    owns: isMemoryPath,
    list: async (place) => {
      const found = await listDocuments(place, memoryFolder(place.appDir));
      const names = found.paths.filter(isCategoryDocument);
      return { ...found, paths: names.map((name) => categoryPath(place.appDir, name)) };
    },
    format: (formats, settings) => formats.document(settings),
  },
  ...SAVED_TYPES.map(
    (sourceType): SourceKind => ({
      group: 'saved',
      owns: (appDir, file) => savedFileAt(appDir, file)?.sourceType === sourceType,
      list: async (place) => {
        const folder = savedFolder(place.appDir, sourceType);
        if (sourceType === 'file') return place.files.listBelow(place.project, folder);
        if (sourceType === 'manual') return listNotes(place, folder);
        const found = await listDocuments(place, folder);
        const toPath = (name: string) => savedPath(place.appDir, { sourceType, name });
        return { ...found, paths: found.paths.map(toPath) };
      },
      format: (formats, settings) => formats.saved(settings, sourceType),
    }),
  ),
  {
    group: 'sessions',
    owns: isSessionPath,
    list: async (place) => {
      const found = await listDocuments(place, sessionsFolder(place.appDir));
      return { ...found, paths: found.paths.map((name) => sessionPath(place.appDir, name)) };
    },
    format: (formats, settings) => formats.session(settings),
  },
];

/** The kind of a file; undefined for documentation. */
export function findSourceKind(appDir: string, sourceFile: string): SourceKind | undefined {
  return SOURCE_KINDS.find((kind) => kind.owns(appDir, sourceFile));
}

type FeaturePath = (appDir: string, featureId: string) => string;

function isFeatureFile(appDir: string, file: string, toPath: FeaturePath): boolean {
  const feature = featureOfSource(appDir, file);
  return feature !== undefined && toPath(appDir, feature) === file;
}

async function listFeatures(place: SourcePlace, toPath: FeaturePath): Promise<FileListing> {
  const { files, project, appDir } = place;
  const features = await files.listFolder(project, featuresFolder(appDir));
  return { ...features, paths: features.paths.map((id) => toPath(appDir, id)) };
}

/** Lists the Markdown files at any depth below a folder. Other files are reported as left out. */
async function listNotes({ files, project }: SourcePlace, folder: string): Promise<FileListing> {
  const found = await files.listBelow(project, folder);
  const isNote = (path: string) => /[^/]\.md$/i.test(path);
  const others = found.paths.filter((path) => !isNote(path));
  return {
    ...found,
    paths: found.paths.filter(isNote),
    leftOut: [...(found.leftOut ?? []), ...others.map(toLeftOut)],
  };
}

function isMarkdown(path: string): boolean {
  return /[^/]\.md$/.test(path);
}

function toLeftOut(path: string): LeftOut {
  return { path, why: 'only .md files are read in this folder', remedy: '' };
}

/**
 * Lists the Markdown files directly in a folder, by name without `.md`. Other entries are reported as left out, unless
 * they are hidden.
 */
async function listDocuments(
  { files, project }: SourcePlace,
  folder: string,
): Promise<FileListing> {
  const found = await files.listFolder(project, folder);
  const others = found.paths.filter((name) => !name.startsWith('.') && !isMarkdown(name));
  return {
    ...found,
    paths: documentNames(found.paths),
    leftOut: [...(found.leftOut ?? []), ...others.map((name) => toLeftOut(`${folder}/${name}`))],
  };
}
