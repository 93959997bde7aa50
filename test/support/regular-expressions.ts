import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** A regular expression literal in the source. */
export interface WrittenExpression {
  /** File and line: `src/domain/x.ts:12`. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** All regular expression literals in the source files below some folders. */
export function writtenExpressions(folders: readonly string[]): readonly WrittenExpression[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
      .flatMap((name) => expressionsIn(`${folder}/${name}`)),
  );
}

function expressionsIn(path: string): readonly WrittenExpression[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: WrittenExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      const end = node.text.lastIndexOf('/');
      const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
      found.push({ place: `${path}:${line + 1}`, source, flags });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
