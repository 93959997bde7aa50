import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TransformersEmbedder } from '../../src/adapters/transformers/transformers-embedder.js';
import { FixedClock } from '../fakes/fixed-clock.js';
import { SilentLogger } from '../fakes/silent-logger.js';
import { type HubAnswer, ModelHub, notFound, WEIGHTS, whole } from '../support/model-hub.js';
import { TINY_MODEL, tinyModelFiles, writeTinyModel } from '../support/tiny-model.js';
import { TemporaryFolders, tinyEmbedder } from '../support/tiny-model-embedder.js';

const FILES = [
  'config.json',
  'onnx/model_quantized.onnx',
  'tokenizer.json',
  'tokenizer_config.json',
];
const folders = new TemporaryFolders();
const embedders: TransformersEmbedder[] = [];
let hub: ModelHub;
let clock: ListeningClock;
let modelsDirectory = '';

beforeEach(async () => {
  hub = await ModelHub.start();
  clock = new ListeningClock();
  modelsDirectory = join(await folders.make(), 'models');
});
afterEach(async () => {
  await Promise.all(embedders.splice(0).map((embedder) => embedder.close()));
  await hub.stop();
  await folders.removeAll();
});

describe('a download that succeeds', () => {
  it('happens at the first call, leaves the files and a record, and is not repeated', async () => {
    const logger = new SilentLogger();
    const embedder = make({ logger });
    expect(embedder.state()).toBe('idle');
    const vector = await embedder.embed('apple');
    expect(await modelFiles()).toEqual(['.download.json', ...FILES]);
    expect(await readdir(modelsDirectory)).toEqual(['tests']);
    expect(logger.messages('info')).toHaveLength(2);
    const asked = hub.requests.length;
    expect(await make().embed('apple')).toEqual(vector);
    expect(hub.requests).toHaveLength(asked);
  });

  it('is made once for both lanes', async () => {
    const embedder = make();
    await Promise.all([embedder.embed('apple'), embedder.embedBatch(['apple'])]);
    expect(hub.requests).toHaveLength(FILES.length);
  });

  it('may be slow as long as it goes on', async () => {
    hub.answer(WEIGHTS, async (response, content) => {
      response.setHeader('content-length', content.length);
      for (let at = 0; at < content.length; at += 2000) {
        const heard = clock.nextSleep();
        response.write(content.subarray(at, at + 2000));
        await heard;
        clock.advance(29_000);
      }
      response.end();
    });
    await make().embed('apple');
    expect(clock.monotonic()).toBeGreaterThan(60_000);
  });

  it('follows redirects and checks the digest that the hub declared before', async () => {
    hub.answer(WEIGHTS, (response, content) => {
      response.writeHead(302, {
        location: '/cdn/weights',
        'x-linked-etag': `"${sha256(content)}"`,
      });
      response.end();
    });
    hub.answer('/cdn/weights', (response, content) => {
      // A storage's own tag, which looks like a digest and is none of the file.
      response.setHeader('etag', `"${'0'.repeat(64)}"`);
      whole(response, content, response.req);
    });
    await make().embed('apple');
    expect(hub.requests).toContain('/cdn/weights');
  });

  it('fetches what is missing beside files put there by hand, and leaves those as they are', async () => {
    await writeTinyModel(modelsDirectory);
    const config = `${tinyModelFiles().get('config.json')} `;
    await writeFile(join(folder(), 'config.json'), config);
    await rm(join(folder(), 'tokenizer.json'));
    await make().embed('apple');
    expect(hub.requests).toEqual([`/${TINY_MODEL}/resolve/main/tokenizer.json`]);
    expect(await readFile(join(folder(), 'config.json'), 'utf8')).toBe(config);
  });

  it('is made again when a file that was downloaded is no longer what it was', async () => {
    await make().embed('apple');
    await writeFile(
      join(folder(), WEIGHTS),
      tinyModelFiles().get(WEIGHTS)?.fill(1, 900, 901) ?? '',
    );
    const asked = hub.requests.length;
    await make().embed('apple');
    expect(hub.requests).toHaveLength(asked + FILES.length);
    expect(await readFile(join(folder(), WEIGHTS))).toEqual(tinyModelFiles().get(WEIGHTS));
  });

  it('can be made by two embedders at once', async () => {
    const [first, second] = [make(), make()];
    const vectors = await Promise.all([first.embed('apple'), second.embed('apple')]);
    expect(vectors[0]).toEqual(vectors[1]);
    expect(await readdir(modelsDirectory)).toEqual(['tests']);
    await make().embed('apple');
  });

  it('removes what crashed downloads left an hour ago, and nothing younger', async () => {
    const [old, young] = [
      join(modelsDirectory, '.download-old'),
      join(modelsDirectory, '.download-young'),
    ];
    await mkdir(old, { recursive: true });
    await mkdir(young);
    await writeFile(join(young, 'config.json'), '{}');
    const past = new Date(clock.now().getTime() - 3_600_001);
    await utimes(old, past, past);
    await utimes(young, past, past);
    await utimes(join(young, 'config.json'), clock.now(), clock.now());
    await make().embed('apple');
    expect(await readdir(modelsDirectory)).toEqual(['.download-young', 'tests']);
  });
});

describe('a download that fails', () => {
  const failures: Record<
    string,
    { readonly answer: HubAnswer; readonly file?: string; readonly reason: RegExp }
  > = {
    'is not found': { answer: notFound, reason: /answers 404/ },
    'meets an error of the hub': {
      answer: (response) => response.writeHead(500).end(),
      reason: /answers 500/,
    },
    'is cut off': {
      answer: halfThen((response) => response.destroy()),
      reason: /terminated|closed/,
    },
    'comes with fewer bytes than declared elsewhere': {
      answer: (response, content) => response.end(content.subarray(0, 5000)),
      reason: /not available/,
    },
    'has wrong bytes': { answer: wrongBytes, reason: /not available/ },
    'has wrong bytes and a declared digest': {
      answer: (response, content, request) => {
        response.setHeader('x-linked-etag', `"${sha256(content)}"`);
        return wrongBytes(response, content, request);
      },
      reason: /other bytes than it declared/,
    },
    'is a page in HTML': {
      answer: page,
      file: 'tokenizer.json',
      reason: /something else than JSON for tokenizer.json/,
    },
    'has a page in HTML as weights': { answer: page, reason: /not available/ },
    'is redirected for ever': {
      answer: redirect(`/${TINY_MODEL}/resolve/main/${WEIGHTS}`),
      reason: /circles/,
    },
    'is redirected to a file': {
      answer: redirect('file:///etc/passwd'),
      reason: /redirects to file:/,
    },
  };

  it.each(Object.entries(failures))(
    'because it %s leaves nothing, and a good hub succeeds',
    async (_, failure) => {
      hub.answer(failure.file ?? WEIGHTS, failure.answer);
      const embedder = make();
      await expect(embedder.embed('apple')).rejects.toThrow(failure.reason);
      await expectRecovery(embedder);
    },
  );

  it.each<readonly [string, HubAnswer]>([
    ['stalls in the middle', halfThen(() => {})],
    ['never answers', () => {}],
  ])('because the hub %s is given up after 30 s', async (_, answer) => {
    hub.answer(WEIGHTS, answer);
    const embedder = make();
    const outcome = expect(embedder.embed('apple')).rejects.toThrow(/30000 ms/);
    while (embedder.state() === 'loading') {
      if (hub.requests.length === FILES.length && clock.sleepers > 0) clock.advance(30_000);
      await nextTurn();
    }
    await outcome;
    await expectRecovery(embedder);
  });

  it('because nobody listens leaves nothing, and a good hub succeeds', async () => {
    const embedder = make({ hub: 'http://127.0.0.1:1' });
    await expect(embedder.embed('apple')).rejects.toThrow(/ECONNREFUSED|bad port/);
    expect(await modelFiles()).toEqual([]);
    await expectRecovery(make());
  });

  it('because the embedder is closed leaves nothing', async () => {
    const started = new Promise<void>((resolve) => {
      hub.answer(
        WEIGHTS,
        halfThen(() => resolve()),
      );
    });
    const embedder = make();
    const outcome = expect(embedder.embed('apple')).rejects.toThrow(/closed/);
    await started;
    await embedder.close();
    await outcome;
    await expectRecovery(make());
  });

  it('because the hub is damaged leaves a damaged file on the disk unused', async () => {
    await make().embed('apple');
    await writeFile(join(folder(), 'tokenizer_config.json'), '{"tokenizer_class":"BertTokenizer"}');
    hub.answer(WEIGHTS, notFound);
    const embedder = make();
    await expect(embedder.embed('apple')).rejects.toThrow(/answers 404/);
    hub.behave();
    clock.advance(1000);
    await embedder.embed('apple');
    expect(await readFile(join(folder(), 'tokenizer_config.json'))).toEqual(
      tinyModelFiles().get('tokenizer_config.json'),
    );
  });

  it('is not tried where downloads are forbidden, nor is a damaged file used', async () => {
    await make().embed('apple');
    await writeFile(join(folder(), 'tokenizer_config.json'), '{"tokenizer_class":"BertTokenizer"}');
    const asked = hub.requests.length;
    const offline = make({ downloads: 'forbidden' });
    await expect(offline.embed('apple')).rejects.toThrow(/downloads are forbidden/);
    expect(hub.requests).toHaveLength(asked);
    expect(await modelFiles()).toEqual(['.download.json', ...FILES]);
  });

  it('half way through putting files in place is made good by the next load', async () => {
    await make().embed('apple');
    // As after a crash: the record and some files are there, the weights are not.
    await rm(join(folder(), WEIGHTS));
    const embedder = make();
    expect(embedder.state()).toBe('idle');
    await embedder.embed('apple');
    expect(await modelFiles()).toEqual(['.download.json', ...FILES]);
  });
});

/** A clock that tells when somebody begins to sleep. */
class ListeningClock extends FixedClock {
  #listeners: (() => void)[] = [];

  nextSleep(): Promise<void> {
    return new Promise((resolve) => {
      this.#listeners.push(resolve);
    });
  }

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    for (const listener of this.#listeners.splice(0)) listener();
    return super.sleep(ms, signal);
  }
}

function make(options: Partial<Parameters<typeof tinyEmbedder>[0]> = {}): TransformersEmbedder {
  const embedder = tinyEmbedder({
    modelsDirectory,
    hub: `${hub.url}/`,
    downloads: 'allowed',
    clock,
    ...options,
  });
  embedders.push(embedder);
  return embedder;
}

async function expectRecovery(embedder: TransformersEmbedder): Promise<void> {
  expect(await readdir(modelsDirectory)).toEqual([]);
  hub.behave();
  clock.advance(1000);
  expect(await embedder.embed('apple')).toHaveLength(384);
  expect(await readFile(join(folder(), WEIGHTS))).toEqual(tinyModelFiles().get(WEIGHTS));
}

function folder(): string {
  return join(modelsDirectory, TINY_MODEL);
}

async function modelFiles(): Promise<readonly string[]> {
  const names = await readdir(folder(), { recursive: true }).catch(() => []);
  return names.filter((name) => name !== 'onnx').toSorted();
}

/** Sends half of a file and, once that is on its way, does something else. */
function halfThen(next: (response: Parameters<HubAnswer>[0]) => void): HubAnswer {
  return async (response, content) => {
    response.setHeader('content-length', content.length);
    if (!response.write(content.subarray(0, content.length / 2))) await once(response, 'drain');
    next(response);
  };
}

function wrongBytes(...[response, content, request]: Parameters<HubAnswer>): void {
  void whole(response, Buffer.alloc(content.length, 7), request);
}

function page(response: Parameters<HubAnswer>[0]): void {
  response.setHeader('content-type', 'text/html').end('<!doctype html><p>Please sign in</p>');
}

function redirect(location: string): HubAnswer {
  return (response) => void response.writeHead(302, { location }).end();
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
