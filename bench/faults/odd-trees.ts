import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { chunksIn } from '../../test/support/database-inspection.js';
import { resourcesOf } from '../../test/support/processes.js';
import { API, type Client, startClient } from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily } from './family.js';

const DEEP = 10_000;
const MOST_MB = 500;
const FOLDERS = 2_000;
const GOOD = '## Good\n\na tapir\n';

interface Tree {
  /** Files that must be indexed all the same, beside one good note. */
  readonly indexed: number;
  /** Returns what ends the disturbance. */
  build(project: TempProject, size: number): (() => unknown) | undefined;
}

/** F18: trees of odd things; what is ordinary in them is indexed, and nothing hangs. */
export const oddTrees: FaultFamily = {
  name: 'F18',
  title: 'huge and odd trees',
  defaultRounds: 6,
  async run({ rounds, size = FOLDERS }) {
    const trees = Object.entries(TREES);
    const wrong: string[] = [];
    const notes: string[] = [];
    for (const [name, tree] of trees.slice(0, rounds)) {
      const seen = await observed(tree, size);
      wrong.push(...seen.wrong.map((sentence) => `${name}: ${sentence}`));
      notes.push(`${name}: ${seen.seconds} s, at most ${seen.mostMb} MB (${seen.mostResidentMb})`);
    }
    return { rounds, acknowledged: rounds, lost: 0, wrong, notes };
  },
  /** A file that is no odd thing at all and is not indexed: it is too large. */
  async negativeControl() {
    const tree: Tree = {
      indexed: 1,
      build: (project) =>
        void project.write('large.md', `## Large\n\n${'tapir '.repeat(2_000_000)}`),
    };
    return (await observed(tree, 1)).wrong;
  },
};

async function observed(tree: Tree, size: number) {
  const project = new TempProject({ 'good.md': GOOD });
  const end = tree.build(project, size);
  const client = await startClient('hybrid', { KNOWLEDGE_WORKERS: '2' });
  const begin = performance.now();
  const wrong: string[] = [];
  let isDone = false;
  const alive = whileWorking(client, () => isDone);
  try {
    wrong.push(...(await indexed(client, project).finally(() => end?.())));
    const again = await patientPost(client, `${API}/rebuild`, project);
    if (again.status !== 200) wrong.push(`a second rebuild is ${again.status}: ${again.text}`);
  } finally {
    isDone = true;
  }
  const seconds = Math.round((performance.now() - begin) / 100) / 10;
  const { mostMb, mostResidentMb, slowestMs } = await alive;
  if (mostMb > MOST_MB) wrong.push(`it took ${mostMb} MB`);
  if (slowestMs > 10_000) wrong.push(`/health took ${Math.round(slowestMs)} ms`);
  await client.service.stop();
  wrong.push(...unexpected(project, tree.indexed < 0 ? size : tree.indexed));
  wrong.push(...problemsIn(project.database, { project: project.path }));
  execFileSync('rm', ['-rf', project.path]);
  return { wrong, seconds, mostMb, mostResidentMb };
}

async function indexed(client: Client, project: TempProject): Promise<readonly string[]> {
  const rebuilt = await patientPost(client, `${API}/rebuild`, project);
  const reflections = await patientPost(client, `${API}/ingest/reflections`, project);
  const found = await client.ids(project, 'tapir', { maxResults: 1 });
  return [
    ...(rebuilt.status === 200 ? [] : [`a rebuild is ${rebuilt.status}: ${rebuilt.text}`]),
    ...(reflections.status === 200 ? [] : [`an ingestion is ${reflections.text}`]),
    ...(found.length > 0 ? [] : ['no result']),
  ];
}

/** Which files are indexed, beside the good note, and whether each is of one reading. */
function unexpected({ database }: TempProject, count: number): readonly string[] {
  const turns = new Map<string, Set<string | undefined>>();
  for (const { source_file: file, content } of chunksIn(database)) {
    const turn = /turn(\d+)/.exec(content)?.[1];
    turns.set(file, (turns.get(file) ?? new Set()).add(turn));
  }
  const mixed = [...turns].filter(([, found]) => found.size > 1);
  return [
    ...(turns.size === count + 1 ? [] : [`${turns.size} of ${count + 1} files are indexed`]),
    ...mixed.map(([file, found]) => `I1 ${file} has the turns ${[...found].join(', ')}`),
  ];
}

/** Asks for `/health` and looks at the memory, until the work is done. */
async function whileWorking({ service }: Client, isDone: () => boolean) {
  let [mostMb, mostResidentMb, slowestMs] = [0, 0, 0];
  while (!isDone()) {
    const begin = performance.now();
    await service.get('/health');
    slowestMs = Math.max(slowestMs, performance.now() - begin);
    const { sharedOnceMb, memoryMb } = resourcesOf(service.process.pid);
    mostMb = Math.max(mostMb, Math.round(sharedOnceMb));
    mostResidentMb = Math.max(mostResidentMb, Math.round(memoryMb));
    await pause(100);
  }
  return { mostMb, mostResidentMb, slowestMs };
}

const TREES: Readonly<Record<string, Tree>> = {
  'feature folders': {
    indexed: -1,
    build(project, size) {
      for (let index = 0; index < size; index += 1) {
        project.writeReflection(`f${index}`, `## F${index}\n\na tapir, number ${index}\n`);
      }
      return undefined;
    },
  },
  'deep folders': {
    indexed: 0,
    build(project) {
      const name = 'd'.repeat(8);
      const script = `import os\nfor _ in range(${DEEP}):\n os.mkdir("${name}"); os.chdir("${name}")\nopen("deep.md", "w").write("a tapir")`;
      execFileSync('python3', ['-c', script], { cwd: project.path });
      return undefined;
    },
  },
  'loops of links, and links to devices': {
    indexed: 0,
    build(project) {
      mkdirSync(project.at('docs'));
      symlinkSync('..', project.at('docs/up'));
      symlinkSync('self.md', project.at('docs/self.md'));
      symlinkSync('/dev/zero', project.at('docs/zero.md'));
      symlinkSync('/etc/passwd', project.at('docs/passwd.md'));
      symlinkSync('/proc/self/environ', project.at('docs/environ.md'));
      symlinkSync('../docs', project.at('docs/again'));
      return undefined;
    },
  },
  'a FIFO, a socket, a folder with the name of a file': {
    indexed: 0,
    build(project) {
      mkdirSync(project.at('docs/folder.md'), { recursive: true });
      mkdirSync(project.at('.knowledge/features/f/reflection.md'), { recursive: true });
      mkdirSync(project.at('.knowledge/features/g'));
      execFileSync('mkfifo', [project.at('docs/fifo.md')]);
      execFileSync('mkfifo', [project.at('.knowledge/features/g/reflection.md')]);
      const server = createServer().listen(project.at('docs/socket.md'));
      return () => server.close();
    },
  },
  'names that are not UTF-8': {
    indexed: 3,
    build(project) {
      mkdirSync(project.at('docs'));
      const folder = Buffer.from(`${project.path}/docs/`);
      const write = (name: Buffer) => writeFileSync(Buffer.concat([folder, name]), GOOD);
      write(Buffer.from([0xff, 0xfe, ...Buffer.from('.md')]));
      write(Buffer.from('a\nb.md'));
      write(Buffer.from('🐗 émoji.md'));
      write(Buffer.from(`${'x'.repeat(252)}.md`));
      return undefined;
    },
  },
  'files that change while they are read': {
    indexed: 1,
    build(project) {
      const file = project.at('changing.md');
      let turn = 0;
      const change = () => {
        turn += 1;
        const text = `## A${turn}\n\na tapir turn${turn}\n\n## B${turn}\n\n${`turn${turn} `.repeat(5_000)}\n`;
        if (turn % 3 === 0) rmSync(file, { force: true });
        writeFileSync(`${file}.new`, text);
        if (turn % 3 === 1) writeFileSync(file, text);
        else renameSync(`${file}.new`, file);
      };
      change();
      const timer = setInterval(change, 1);
      return () => {
        clearInterval(timer);
        rmSync(`${file}.new`, { force: true });
      };
    },
  },
};

/** Posts about a project, and waits for the answer however long it takes: `fetch` gives up after five minutes. */
function patientPost(
  { service }: Client,
  path: string,
  project: TempProject,
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(service.url + path, { method: 'POST', headers }, (response) => {
      const parts: string[] = [];
      response.setEncoding('utf8');
      response.on('data', (part) => parts.push(part));
      response.on('end', () => resolve({ status: response.statusCode, text: parts.join('') }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ projectPath: project.path }));
  });
}
