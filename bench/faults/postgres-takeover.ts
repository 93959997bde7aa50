import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ModelEndpoint, startModelEndpoint } from '../../test/support/model-endpoint.js';
import { threeQuestions } from '../../test/support/model-endpoint-replies.js';
import { PostgresServer } from '../../test/support/postgres-server.js';
import { SERVER_BIN } from '../../test/support/postgres-under-test.js';
import { eventually } from '../../test/support/running-service.js';
import { type Client, okBody, startClient } from '../../test/support/running-service-calls.js';
import { TempProject, tempDirectory } from '../../test/support/temp-project.js';
import { TINY_MODEL, writeTinyModel } from '../../test/support/tiny-model.js';
import type { FaultFamily, FaultOptions, FaultOutcome } from './family.js';
import { NotedVectors } from './noted-vectors.js';

/** Chunks of a project; embedded eight at a time. */
const CHUNKS = 40;
/** So many that two services, which begin seconds apart on a busy machine, are at it together. */
const CONTROL_CHUNKS = 240;
/** Beyond the end of the lease: a pause between two attempts to get it, and the embedding itself. */
const TAKEOVER_MS = 20_000;

/** P2: of two services on one server, the one that embeds is killed; the other one goes on when its lease has ended. */
export const postgresTakeover: FaultFamily = {
  name: 'P2',
  title: 'one of two services on PostgreSQL is killed while it embeds',
  defaultRounds: 3,
  run: (options) => killedRounds(options, 'after the lease'),
  /** Both get every lease, and nobody is killed. */
  async negativeControl(options) {
    const { wrong } = await killedRounds({ ...options, rounds: 1 }, 'without a lease');
    return wrong;
  },
};

type Takeover = 'after the lease' | 'without a lease';

async function killedRounds(options: FaultOptions, takeover: Takeover): Promise<FaultOutcome> {
  const server = await PostgresServer.create(SERVER_BIN, 'kept');
  const endpoint = await startModelEndpoint(threeQuestions);
  const [wrong, notes]: [string[], string[]] = [[], []];
  try {
    for (let round = 0; round < options.rounds; round += 1) {
      const scene = { server, endpoint, seconds: options.seconds, takeover };
      const found = await killedRound(scene, options.random.below(300));
      wrong.push(...found.wrong);
      notes.push(found.note);
    }
  } finally {
    await endpoint.close();
    await server.remove();
  }
  const acknowledged = options.rounds * CHUNKS;
  return { rounds: options.rounds, acknowledged, lost: 0, wrong, notes };
}

interface Scene {
  readonly server: PostgresServer;
  readonly endpoint: ModelEndpoint;
  /** What is left of the lease when its holder is killed; 300 is what a lease has. */
  readonly seconds: number;
  readonly takeover: Takeover;
}

async function killedRound(scene: Scene, killedAfterMs: number) {
  const project = projectOf(scene.takeover === 'after the lease' ? CHUNKS : CONTROL_CHUNKS);
  const [first, second] = [await start(scene, 'first'), await start(scene, 'second')];
  try {
    okBody(await first.open(project));
    const vectors = await NotedVectors.of(scene.server.url, project);
    if (scene.takeover === 'after the lease') {
      okBody(await first.rebuild(project));
      await eventually(async () => (await vectors.writers()).length > 0);
      okBody(await second.open(project));
      await sleep(killedAfterMs);
      await first.service.process.kill();
    } else {
      await vectors.voidLeases();
      await Promise.all([first.rebuild(project), second.rebuild(project)]);
    }
    await vectors.endLeasesIn(scene.seconds);
    const seconds = await secondsUntilEmbedded(second, { project, scene });
    const note = `all embedded ${seconds} s after the kill, with ${scene.seconds} s left of the lease`;
    return { wrong: [...(await vectors.problems()), ...askedTwice(scene.endpoint)], note };
  } finally {
    await Promise.all([first.service.stop(), second.service.stop()]);
    project.remove();
  }
}

async function start({ server, endpoint }: Scene, name: string): Promise<Client> {
  const data = tempDirectory('knowledge-data-');
  await writeTinyModel(`${data}/models`);
  return startClient('hybrid', {
    KNOWLEDGE_STORE: `${server.url}?application_name=${name}`,
    DATA_DIR: data,
    KNOWLEDGE_MODEL: TINY_MODEL,
    OPENAI_BASE_URL: endpoint.baseUrl,
    OPENAI_MODEL: 'any',
  });
}

function projectOf(chunks: number): TempProject {
  const id = randomUUID();
  const sections = Array.from(
    { length: chunks },
    (_, i) => `## Note ${i}\n\nAn apple and disk ${i} of ${id}.\n`,
  );
  return new TempProject({ 'notes.md': sections.join('\n') });
}

async function secondsUntilEmbedded(
  client: Client,
  { project, scene }: { readonly project: TempProject; readonly scene: Scene },
): Promise<string> {
  const begin = performance.now();
  const isDone = async () => okBody(await client.status(project)).embeddings.pending === 0;
  await eventually(isDone, { withinMs: scene.seconds * 1000 + TAKEOVER_MS, everyMs: 200 });
  return ((performance.now() - begin) / 1000).toFixed(1);
}

/** One request may have been under way when the service was killed. */
function askedTwice({ requests }: ModelEndpoint): readonly string[] {
  const texts = new Set(requests.map(({ data }) => data));
  const again = requests.length - texts.size;
  return again > 1
    ? [`The model was asked ${again} times about a chunk that it was asked about.`]
    : [];
}
