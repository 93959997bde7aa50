import { afterEach, describe, expect, it } from 'vitest';
import { ChatClient } from '../../../src/adapters/openai/chat-client.js';
import { questionGenerator } from '../../../src/adapters/openai/language-model.js';
import { CallLimiter } from '../../../src/app/enrichment/call-limiter.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import {
  ingestMany,
  mostInOneMinute,
  pass,
  settle,
  until,
  worldWith,
} from '../../support/enrichment-world.js';
import {
  type ModelEndpoint,
  type Reply,
  startModelEndpoint,
} from '../../support/model-endpoint.js';
import {
  closeMidBody,
  garbage,
  hang,
  refusingResponseFormat,
  status,
  threeQuestions,
  throttled,
} from '../../support/model-endpoint-replies.js';

let endpoint: ModelEndpoint | undefined;
afterEach(async () => {
  await endpoint?.close();
});

describe('an endpoint', () => {
  it('gets no more than ten requests in any minute of ten, whatever it answers', async () => {
    const replies: readonly Reply[] = [
      threeQuestions,
      refusingResponseFormat(garbage),
      status(500),
      threeQuestions,
      closeMidBody,
      threeQuestions,
      throttled('7'),
      threeQuestions,
    ];
    const { clock, arrivals, stop } = await scene((count) => replies[count % replies.length]);
    await letPass(clock, 10 * 60_000);
    expect(mostInOneMinute(arrivals)).toBe(10);
    expect(arrivals.length).toBeGreaterThan(80);
    await stop();
  });

  it('that takes no response_format is asked twice for the first chunk, both of which count', async () => {
    const { clock, arrivals, stop } = await scene(() => refusingResponseFormat(threeQuestions));
    await letPass(clock, 59_000);
    expect(arrivals).toHaveLength(10);
    expect(endpoint?.requests.map(({ body }) => 'response_format' in body)).toEqual([
      true,
      ...Array.from({ length: 9 }, () => false),
    ]);
    await letPass(clock, 1000);
    await until(() => arrivals.length === 20, 1_000_000);
    await stop();
  });

  it('that hangs does not hold up a stop', async () => {
    const { arrivals, world, stop } = await scene(() => hang);
    await until(() => arrivals.length === 1, 1_000_000);
    await stop();
    expect(await world.project.store.questionVectors.status()).toMatchObject({ complete: 0 });
  });
});

/** The background work of 60 chunks with the real client; `arrivals` are the times of the requests. */
async function scene(replyTo: (count: number) => Reply | undefined) {
  const clock = new WorkClock();
  const arrivals: number[] = [];
  endpoint = await startModelEndpoint((response, request) => {
    const reply = replyTo(arrivals.length) ?? threeQuestions;
    arrivals.push(clock.monotonic());
    return reply(response, request);
  });
  const limiter = new CallLimiter(clock);
  const { baseUrl } = endpoint;
  const chat = new ChatClient({ baseUrl, model: 'small', clock, admit: () => limiter.admit() });
  const world = await worldWith({ generator: questionGenerator(chat), clock });
  await ingestMany(world, 60);
  world.enrichment.wake(world.project);
  const stop = async (): Promise<void> => {
    limiter.stop();
    chat.stop();
    await world.enrichment.stop();
  };
  return { clock, arrivals, world, stop };
}

/** Lets time pass only while nothing is under way: while the work sleeps. */
async function letPass(clock: WorkClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1000) {
    await until(() => clock.isWorkAsleep, 1_000_000);
    await pass(clock, 1000, 1000);
  }
  await settle();
}

/** Knows the sleeps of the work from those between two renewals of its lease. */
class WorkClock extends FixedClock {
  #asleep = 0;

  get isWorkAsleep(): boolean {
    return this.#asleep > 0;
  }

  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const count = ms === RENEWAL_MS ? 0 : 1;
    this.#asleep += count;
    await super.sleep(ms, signal);
    this.#asleep -= count;
  }
}

const RENEWAL_MS = 20_000;
