import { chunksIn } from '../../test/support/database-inspection.js';
import { type Client, okBody, startClient } from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily } from './family.js';
import type { Random } from './random.js';

const BATCH = 100;
const TAIL = 2_000;

/** Text that has gone wrong somewhere before; each piece stands between words. */
const ODD: readonly string[] = [
  '\ud800',
  '\udc00',
  'a\ud83d',
  '\u0000',
  'x\u0000y',
  '\ufeff',
  '\r\n',
  '\r',
  '\u2028',
  '\u202etxet\u202c',
  '\u200b',
  '\u200d',
  '👩‍👩‍👧‍👦',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  '\ufffd',
  '\uffff',
  '\u{10ffff}',
  'e\u0301'.repeat(3),
  `z${'\u0336'.repeat(20)}`,
  'ﷺ',
  '\u0007\u001b[31m',
];
/** Words that are looked for again, in both normal forms; no two are one word to the index. */
const WORDS: readonly string[] = [
  'naïveté',
  'Größenwahn',
  'İstanbul',
  'ελληνικά',
  'справочник',
  'שלום',
  'مرحبا',
  'नमस्ते',
  '한국어',
  '用户认证',
  'カタカナ',
  'ภาษาไทย',
  'ﬁnance',
  '𝒜𝓁𝓅𝒽𝒶',
  'ǅungla',
];

interface Document {
  readonly name: string;
  /** A word that no other document has. */
  readonly marker: string;
  readonly word: string;
  readonly text: string;
}

/** F19: odd text from files, pushed documents and agent outputs: what is stored is well-formed, and found again. */
export const unicode: FaultFamily = {
  name: 'F19',
  title: 'odd Unicode',
  defaultRounds: 200,
  async run({ rounds, random }) {
    const client = await startClient('hybrid');
    const wrong: string[] = [];
    let found = 0;
    for (let first = 0; first < rounds; first += BATCH) {
      const project = new TempProject();
      const documents = Array.from({ length: Math.min(BATCH, rounds - first) }, (_, index) =>
        documentOf(first + index, random),
      );
      await storeAll(client, project, documents);
      wrong.push(...illFormed(project));
      for (const document of documents) {
        const problems = await unfound(client, project, document);
        if (problems.length === 0) found += 1;
        wrong.push(...problems.map((each) => `${document.name}: ${each}`));
      }
      wrong.push(...problemsIn(project.database));
      project.remove();
    }
    await client.service.stop();
    return { rounds, acknowledged: found, lost: 0, wrong, notes: [] };
  },
  /** A store that cuts in the middle of a pair, and forgets a word. */
  async negativeControl() {
    return [wordsLost('a 👩 b'.slice(0, 3), 'a 👩 b')].flat();
  },
};

function documentOf(number: number, random: Random): Document {
  const marker = `marker${number}x`;
  const word = random.pick(WORDS);
  const pieces = Array.from({ length: 5 + random.below(12) }, () =>
    random.below(3) === 0 ? random.pick(ODD) : random.pick(['apple', 'disk', random.pick(WORDS)]),
  );
  pieces.splice(random.below(pieces.length), 0, marker, random.pick([word, decomposed(word)]));
  const name = `${['file', 'pushed', 'output'][number % 3]}${number}x`;
  return { name, marker, word, text: pieces.join(' ') };
}

/** Latin words alone: of other scripts FTS5 takes the two forms for two words (RELIABILITY.md). */
function decomposed(word: string): string {
  return /\p{Script=Latin}/u.test(word) ? word.normalize('NFD') : word;
}

async function storeAll(client: Client, project: TempProject, documents: readonly Document[]) {
  for (const { name, text } of documents) {
    // The end of an agent output is kept, from wherever it begins: often in the middle of an emoji.
    if (name.startsWith('output')) {
      const filling = '👩'.repeat(Math.max(0, Math.ceil((TAIL - text.length) / 2)));
      project.writeOutput(name, `${'👩'.repeat(500)}${filling} ${text}`);
    } else if (name.startsWith('file')) project.write(`docs/${name}.md`, text);
  }
  okBody(await client.rebuild(project));
  for (const { name, text } of documents.filter((each) => each.name.startsWith('pushed'))) {
    const answer = await client.post('/x/documents', project, {
      path: `${name}.md`,
      content: text,
    });
    if (answer.status !== 201) throw new Error(`${name}: HTTP ${answer.status}: ${answer.text}`);
  }
}

function illFormed({ database }: TempProject): readonly string[] {
  return chunksIn(database).flatMap(({ id, heading, content }) =>
    [heading ?? '', content].every((text) => text.isWellFormed() && !text.includes('\0'))
      ? []
      : [`${id} is not well-formed`],
  );
}

/** Whether a document is found by its marker and by its odd word, and comes back whole. */
async function unfound(
  client: Client,
  project: TempProject,
  { name, marker, word, text }: Document,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  const results = await client.results(project, marker);
  const own = results.filter(({ chunk }) => chunk.id.includes(name));
  if (own.length === 0) return [`it is not found by ${marker}`];
  const isOwn = `instr(source_file, '${name}')`;
  const stored = chunksIn(project.database, isOwn)
    .map(({ content }) => content)
    .join('');
  if (!name.startsWith('output')) wrong.push(...wordsLost(stored, text));
  for (const form of ['NFC', 'NFD']) {
    const ids = await client.ids(project, `${marker} AND "${word.normalize(form)}"`);
    if (!ids.some((id) => id.includes(name))) wrong.push(`it is not found by ${word} in ${form}`);
  }
  return wrong;
}

/** Every character that is not white space is there, as the store promises to write it. */
function wordsLost(stored: string, text: string): readonly string[] {
  const plain = (each: string) => each.replace(/[\s\ufeff\ufffd\0]/gu, '');
  const missing = plain(stored) !== plain(text.toWellFormed());
  return missing || !stored.isWellFormed()
    ? [`${JSON.stringify(text)} is stored as ${JSON.stringify(stored)}`]
    : [];
}
