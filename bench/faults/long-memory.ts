import { readdirSync, readFileSync } from 'node:fs';
import { answering } from '../../test/support/model-endpoint-replies.js';
import type { TempProject } from '../../test/support/temp-project.js';

/** A memory category that is long enough to be compacted. */
export const CATEGORY = 'gotchas';
export const THRESHOLD = 100;
const FILE = `.knowledge/memory/${CATEGORY}.md`;
const TEXT = Array.from(
  { length: 60 },
  (_, index) => `## Gotcha ${index}\n\napple number${index} ${'disk engine forest '.repeat(4)}\n`,
).join('\n');

/** A language model that summarizes it. */
export const summarizing = answering(({ data }) => headingsOf(data));

export function writeLongMemory(project: TempProject): void {
  project.write(FILE, TEXT);
}

/** The file is the old text or the summary, whole, and the old text is never gone. */
export function memoryProblems(project: TempProject, isConfirmed: boolean): readonly string[] {
  const file = readFileSync(project.at(FILE), 'utf8');
  if (file === TEXT) return isConfirmed ? ['it was confirmed, and the old text is there'] : [];
  if (file.trimEnd() !== headingsOf(TEXT).trimEnd()) return [`it is mixed: ${file.slice(0, 100)}`];
  const folder = project.at('.knowledge/memory/.history');
  const history = readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
  return history.includes(TEXT) ? [] : ['the old text is not in the history'];
}

function headingsOf(text: string): string {
  return text.match(/^#.*\n.*$/gm)?.join('\n\n') ?? '';
}
