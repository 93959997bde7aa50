import { fileURLToPath } from 'node:url';
import { type ModelEndpoint, startModelEndpoint } from '../../test/support/model-endpoint.js';
import { CHECKOUT } from '../../test/support/running-service.js';
import type { TempProject } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily } from './family.js';
import { AcknowledgementLog } from './generations.js';
import {
  CATEGORY,
  memoryProblems,
  summarizing,
  THRESHOLD,
  writeLongMemory,
} from './long-memory.js';
import { copyOf, featureNames, indexedProject } from './projects.js';
import type { Random } from './random.js';
import {
  type Command,
  type Ended,
  type Point,
  pointsOf,
  runWithFault,
} from './system-call-faults.js';

const FEATURES = featureNames(4);
/** Points that are run side by side, one for each processor of a small machine. */
const AT_ONCE = 2;

/** One command whose writes fail in turn, and what must hold afterwards. */
interface Scene {
  readonly name: string;
  /** Whether the command ends by itself, and completes what a fault interrupted. */
  readonly isRepeatable: boolean;
  /** Everything that was there before the command. */
  prepare(): { readonly project: TempProject; readonly log: AcknowledgementLog };
  command(project: TempProject): Command;
  problems(project: TempProject, ended: Ended): readonly string[];
}

/** F1b: each write, flush and rename of an ingestion and of a compaction is the last one, or fails. */
export const writeFaults: FaultFamily = {
  name: 'F1b',
  title: 'a kill or an error at every write (strace)',
  defaultRounds: 60,
  async run({ rounds, random }) {
    const endpoint = await startModelEndpoint(summarizing);
    const lost: string[] = [];
    const wrong: string[] = [];
    const notes: string[] = [];
    let [done, confirmed] = [0, 0];
    const template = await indexedProject(FEATURES.length);
    const scenes = [ingestion(template), compaction(template, endpoint)];
    for (const scene of scenes) {
      const all = await pointsOfScene(scene);
      const points = sample(all, Math.ceil(rounds / scenes.length), random);
      notes.push(`${scene.name}: ${points.length} of ${all.length} points`);
      const waiting = points.values();
      const runAll = async () => {
        for (const point of waiting) {
          const seen = await ranInto(scene, point);
          const where = `${scene.name}, ${point.fault} at ${point.call} ${point.number}`;
          lost.push(...seen.lost.map((sentence) => `${where}: ${sentence}`));
          wrong.push(...seen.wrong.map((sentence) => `${where}: ${sentence}`));
          done += 1;
          if (seen.isConfirmed) confirmed += 1;
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, runAll));
    }
    await endpoint.close();
    template.remove();
    return {
      rounds: done,
      acknowledged: confirmed,
      lost: lost.length,
      wrong: [...lost, ...wrong],
      notes,
    };
  },
  /** The same kills of a writer that commits row by row. */
  async negativeControl() {
    const found: string[] = [];
    const template = await indexedProject(FEATURES.length);
    const careless = { ...ingestion(template), command: carelessCommand, isRepeatable: false };
    for (let number = 30; number < 60 && found.length === 0; number += 1) {
      const seen = await ranInto(careless, { call: 'pwrite64', fault: 'SIGKILL', number });
      found.push(...seen.wrong);
    }
    template.remove();
    return found;
  },
};

async function pointsOfScene(scene: Scene): Promise<readonly Point[]> {
  const { project } = scene.prepare();
  const points = await pointsOf(scene.command(project));
  project.remove();
  return points;
}

/** All of them if there are as many rounds; else some of them, in their order. */
function sample(points: readonly Point[], count: number, random: Random): readonly Point[] {
  let wanted = Math.min(count, points.length);
  return points.filter((_, index) => {
    const isTaken = random.below(points.length - index) < wanted;
    if (isTaken) wanted -= 1;
    return isTaken;
  });
}

async function ranInto(scene: Scene, point: Point) {
  const { project, log } = scene.prepare();
  const snapshot = log.snapshot();
  const ended = await runWithFault(scene.command(project), point);
  if (ended.code === 0) log.confirm(snapshot);
  const { lost, wrong } = log.compare(project);
  const problems = [
    ...wrong,
    ...scene.problems(project, ended),
    ...(/\n\s+at /.test(ended.output) ? [`a stack: ${ended.output}`] : []),
    ...problemsIn(project.database, { project: project.path }),
    ...(scene.isRepeatable ? await unfinished(scene, project) : []),
  ];
  project.remove();
  return { lost, wrong: problems, isConfirmed: ended.code === 0 };
}

/** The same command without a fault, afterwards. */
async function unfinished(scene: Scene, project: TempProject): Promise<readonly string[]> {
  const ended = await runWithFault(scene.command(project), {
    call: 'unlink',
    fault: 'EIO',
    number: 9_999,
  });
  if (ended.code !== 0) return [`afterwards it ends with ${ended.code}: ${ended.output}`];
  return [...scene.problems(project, ended), ...problemsIn(project.database)];
}

function ingestion(template: TempProject): Scene {
  return {
    name: 'ingestion',
    isRepeatable: true,
    prepare() {
      const { project, log } = copied(template);
      for (const feature of FEATURES) log.write(project, feature);
      return { project, log };
    },
    command: (project) => commandLine(['ingest', '--project', project.path]),
    problems: () => [],
  };
}

function compaction(template: TempProject, { baseUrl }: ModelEndpoint): Scene {
  const env = { OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: 'scripted' };
  return {
    name: 'compaction',
    isRepeatable: true,
    prepare() {
      const { project, log } = copied(template);
      writeLongMemory(project);
      return { project, log };
    },
    command: (project) =>
      commandLine(
        ['compact', CATEGORY, '--threshold', String(THRESHOLD), '--project', project.path],
        env,
      ),
    problems: (project, { code }) => memoryProblems(project, code === 0),
  };
}

/** A copy, and what is known of it. */
function copied(template: TempProject) {
  const [project, log] = [copyOf(template), new AcknowledgementLog()];
  for (const feature of FEATURES) log.write(project, feature);
  log.confirm(log.snapshot());
  return { project, log };
}

function commandLine(args: readonly string[], env: Readonly<Record<string, string>> = {}): Command {
  return {
    command: process.execPath,
    args: [`${CHECKOUT}/dist/cli.js`, ...args],
    env: { KNOWLEDGE_OFFLINE: '1', UV_THREADPOOL_SIZE: '1', ...env },
  };
}

function carelessCommand(project: TempProject): Command {
  const script = fileURLToPath(new URL('careless-writer.ts', import.meta.url));
  const args = ['--import', 'tsx', script, project.database, String(FEATURES.length)];
  return { command: process.execPath, args, env: {} };
}
