import { setTimeout as pause } from 'node:timers/promises';
import { startClient } from '../../test/support/running-service-calls.js';
import type { HttpAnswer } from '../../test/support/service-at-url.js';
import { TempProject } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily } from './family.js';
import { AcknowledgementLog } from './generations.js';
import { killedCarelessWriter } from './killed.js';

const SEARCHES = 50;
const LONGEST_STOP_MS = 10_000;

/** F14: SIGTERM at a random moment of 50 searches and an ingestion. */
export const shutdown: FaultFamily = {
  name: 'F14',
  title: 'SIGTERM under load',
  defaultRounds: 5,
  async run({ rounds, random }) {
    const wrong: string[] = [];
    let [acknowledged, lost, slowest] = [0, 0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const project = new TempProject();
      const log = new AcknowledgementLog();
      const client = await startClient('hybrid');
      for (let index = 0; index < 20; index += 1) log.write(project, `f${index}`);
      const snapshot = log.snapshot();
      const ingestion = client.post('/ingest/reflections', project).then((answer) => {
        if (answer.status === 200) log.confirm(snapshot);
        return answer;
      });
      const searches = Array.from({ length: SEARCHES }, () => client.search(project, 'apple'));
      const answers = Promise.allSettled([ingestion, ...searches]);
      await pause(random.below(400));
      const begin = performance.now();
      client.service.process.signal('SIGTERM');
      const { code } = await client.service.process.exited;
      const took = performance.now() - begin;
      slowest = Math.max(slowest, took);
      if (code !== 0) wrong.push(`round ${round}: it ended with ${code}`);
      if (took > LONGEST_STOP_MS)
        wrong.push(`round ${round}: it took ${Math.round(took)} ms to end`);
      wrong.push(...undocumented(await answers));
      const compared = log.compare(project);
      acknowledged += log.count;
      lost += compared.lost.length;
      wrong.push(...compared.lost, ...compared.wrong);
      wrong.push(...problemsIn(project.database, { project: project.path }));
      project.remove();
    }
    const notes = [`the slowest end took ${Math.round(slowest)} ms`];
    return { rounds, acknowledged, lost, wrong, notes };
  },
  negativeControl: killedCarelessWriter,
};

/** Each is answered, or its connection was never accepted. */
function undocumented(settled: readonly PromiseSettledResult<HttpAnswer>[]): readonly string[] {
  return settled.flatMap((each) =>
    each.status === 'fulfilled' && ![200, 503].includes(each.value.status)
      ? [`HTTP ${each.value.status}: ${each.value.text}`]
      : [],
  );
}
