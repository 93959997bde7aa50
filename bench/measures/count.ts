import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import * as ts from 'typescript';

/** Figures that tell how easy a source tree is to read. Each is explained where it is counted. */
export interface Measures {
  readonly lines: number;
  readonly testLines: number;
  readonly casts: number;
  readonly namedOf: number;
  readonly namedIn: number;
  /** Pairs of folders that import each other, as `a <-> b`. */
  readonly pairs: readonly string[];
  /** Folders of `app` that import each other in a ring, one ring per line. */
  readonly ringsInApp: readonly string[];
  /** Files of less than 60 lines with a single importer, in the same folder. */
  readonly smallFiles: readonly string[];
  /** Types with the same fields as a schema. */
  readonly describedTwice: readonly string[];
  /** Files that name a kind of source, and may have to change for a new kind. */
  readonly kindFiles: readonly string[];
  /** Files outside `app/config` that name an environment variable of the service. */
  readonly variableFiles: readonly string[];
}

/** Counts the figures of a folder that contains `src` and `test`. */
export function measure(root: string): Measures {
  const files = readSources(root, 'src');
  const pairs = findPairs(files);
  const names = files.flatMap(({ syntax }) => nameFunctions(syntax));
  return {
    lines: countLines(files),
    testLines: countLines(readSources(root, 'test')),
    casts: files.reduce((sum, { syntax }) => sum + countCasts(syntax), 0),
    namedOf: names.filter((name) => /[a-z]Of$/.test(name)).length,
    namedIn: names.filter((name) => /[a-z]In$/.test(name)).length,
    pairs,
    ringsInApp: findRings(files.filter(({ path }) => isInApp(path))),
    smallFiles: findSmallFiles(files),
    describedTwice: findDescribedTwice(files),
    kindFiles: files.filter(namesKind).map(({ path }) => path),
    variableFiles: files.filter(namesVariable).map(({ path }) => path),
  };
}

interface Source {
  /** Path from the root, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly syntax: ts.SourceFile;
  /** Paths of the files that this one imports from the same tree. */
  readonly imports: readonly string[];
}

function readSources(root: string, folder: string): readonly Source[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readSource(root, relative(root, join(entry.parentPath, entry.name))))
    .sort((a, b) => a.path.localeCompare(b.path));
}

function readSource(root: string, path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  const imported = ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => fileName);
  const imports = imported
    .filter((name) => name.startsWith('.'))
    .map((name) => normalize(join(dirname(path), name.replace(/\.js$/, '.ts'))));
  return {
    path,
    text,
    syntax: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
    imports,
  };
}

function countLines(files: readonly Source[]): number {
  return files.reduce((sum, { text }) => sum + text.trimEnd().split('\n').length, 0);
}

function* walk(node: ts.Node): Generator<ts.Node> {
  yield node;
  for (const child of node.getChildren()) yield* walk(child);
}

/** Counts type assertions, except `as const`. */
function countCasts(syntax: ts.SourceFile): number {
  return [...walk(syntax)].filter(
    (node) => ts.isAsExpression(node) && node.type.getText() !== 'const',
  ).length;
}

/** The names of functions, methods and constants that hold functions. */
function nameFunctions(syntax: ts.SourceFile): readonly string[] {
  return [...walk(syntax)].flatMap((node) => {
    const isFunction = ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node);
    const isConstant =
      ts.isVariableDeclaration(node) &&
      node.initializer !== undefined &&
      ts.isArrowFunction(node.initializer);
    return (isFunction || isConstant) && node.name !== undefined ? [node.name.getText()] : [];
  });
}

/** Finds folders that import each other. A folder and its parent count too: neither should need the other's files. */
function findPairs(files: readonly Source[]): readonly string[] {
  const arrows = new Set<string>();
  for (const { path, imports } of files) {
    const from = dirname(path);
    for (const to of imports.map((file) => dirname(file))) {
      if (from !== to) arrows.add(`${from} ${to}`);
    }
  }
  const mutual = [...arrows]
    .map((arrow) => arrow.split(' '))
    .filter(([a, b]) => arrows.has(`${b} ${a}`));
  return mutual.flatMap(([a = '', b = '']) => (a < b ? [`${a} <-> ${b}`] : [])).sort();
}

function findRings(files: readonly Source[]): readonly string[] {
  const reached = new Map<string, ReadonlySet<string>>();
  const folders = new Set(files.map(({ path }) => dirname(path)));
  for (const folder of folders) reached.set(folder, reachable(folder, files));
  const rings = new Set<string>();
  for (const folder of folders) {
    const ring = [...folders].filter(
      (other) => reached.get(folder)?.has(other) && reached.get(other)?.has(folder),
    );
    if (ring.length > 1) rings.add(ring.sort().join(' <-> '));
  }
  return [...rings].sort();
}

function reachable(start: string, files: readonly Source[]): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [start];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const next = files.filter(({ path }) => dirname(path) === folder);
    for (const target of next.flatMap(({ imports }) => imports.map((file) => dirname(file)))) {
      if (target === folder || found.has(target) || !isInApp(target)) continue;
      found.add(target);
      waiting.push(target);
    }
  }
  return found;
}

function isInApp(folder: string): boolean {
  return folder === 'src/app' || folder.startsWith('src/app/');
}

const SMALL = 60;

function findSmallFiles(files: readonly Source[]): readonly string[] {
  return files
    .filter(({ path, text }) => {
      const importers = files.filter(({ imports }) => imports.includes(path));
      const [only] = importers;
      const isBeside = only !== undefined && dirname(only.path) === dirname(path);
      return importers.length === 1 && isBeside && text.trimEnd().split('\n').length < SMALL;
    })
    .map(({ path }) => path);
}

/** Small types agree by chance, so only larger ones are compared. */
const ENOUGH_FIELDS = 3;

function findDescribedTwice(files: readonly Source[]): readonly string[] {
  const schemas = new Map<string, string>();
  for (const { path, syntax } of files.filter((file) => file.path.startsWith('src/schemas/'))) {
    for (const node of walk(syntax)) {
      const fields = ts.isCallExpression(node) ? readObjectSchema(node) : undefined;
      if (fields !== undefined) schemas.set(fields, path);
    }
  }
  const inside = files.filter(({ path }) => /^src\/(domain|app|ports)\//.test(path));
  return inside.flatMap(({ path, syntax }) =>
    [...walk(syntax)].flatMap((node) => {
      if (!ts.isInterfaceDeclaration(node)) return [];
      const schema = schemas.get(joinFields(node.members) ?? '');
      return schema === undefined ? [] : [`${path} ${node.name.text} (${schema})`];
    }),
  );
}

function readObjectSchema({ expression, arguments: given }: ts.CallExpression): string | undefined {
  const [fields] = given;
  const isObject = /^z\.(strict|loose)?[oO]bject$/.test(expression.getText());
  if (!isObject || fields === undefined || !ts.isObjectLiteralExpression(fields)) return undefined;
  return joinFields(fields.properties);
}

/** The names of the fields, sorted; undefined if there are too few. */
function joinFields(
  members: ts.NodeArray<ts.TypeElement | ts.ObjectLiteralElementLike>,
): string | undefined {
  const names = members.map((member) => member.name?.getText() ?? '…');
  return names.length < ENOUGH_FIELDS ? undefined : names.sort().join(',');
}

/** Matches the name of a kind of source, which occurs wherever kinds are treated one by one. */
const KIND = /'(reflections?|agentOutputs?|agent_outputs?)'/;

function namesKind({ text }: Source): boolean {
  return KIND.test(text);
}

const VARIABLE = /['"[.]((KNOWLEDGE|LOCAL_SERVICE)_[A-Z_]+|DATA_DIR)\b/;

function namesVariable({ path, text }: Source): boolean {
  return !path.startsWith('src/app/config/') && VARIABLE.test(text);
}
