import { ServiceProcess } from '../../../test/support/running-service.js';
import { ServiceAtUrl } from '../../../test/support/service-at-url.js';
import type { Site } from './site.js';
import { Watch } from './watch.js';

/** Memory beyond which the service replaces a worker, and what it may have grown by until that is seen. */
const WORKER_MB = 1_500;
const UNSEEN_GROWTH = 1.2;
const LONGEST_STOP_MS = 10_000;

/** A service in processes of its own, with the watch over it. */
export class TestedService extends ServiceAtUrl {
  readonly watch: Watch;
  readonly #process: ServiceProcess;

  private constructor(url: string, process: ServiceProcess, watch: Watch) {
    super(url);
    this.#process = process;
    this.watch = watch;
  }

  /** @param checkout a built checkout, or undefined for this one */
  static async start(site: Site, checkout?: string): Promise<TestedService> {
    const process = new ServiceProcess(environmentFor(site), 'node', checkout);
    const url = await process.ready();
    const service = new ServiceAtUrl(url);
    await service.post('/api/knowledge/rebuild', { projectPath: site.witness.path });
    const watch = await Watch.start({
      url,
      pid: process.pid,
      witness: site.witness.path,
      maxWorkerBytes: WORKER_MB * UNSEEN_GROWTH * 2 ** 20,
    });
    return new TestedService(url, process, watch);
  }

  get isRunning(): boolean {
    return this.#process.isRunning();
  }

  /** The last bug in the log, which an answer of 500 does not tell. */
  get lastBug(): string {
    const bugs = this.#process.stderr().match(/^.*because of a bug.*$/gm) ?? [];
    return bugs.at(-1)?.slice(0, 3000) ?? '';
  }

  /** What the service said last. */
  get lastWords(): string {
    return this.#process.stderr().slice(-3000);
  }

  /** Returns what was wrong with its end. */
  async stop(): Promise<readonly string[]> {
    this.watch.stop();
    const begin = performance.now();
    const wasRunning = this.isRunning;
    await this.#process.stop();
    const { code } = await this.#process.exited;
    const ms = Math.round(performance.now() - begin);
    return [
      ...(wasRunning && code !== 0 ? [`the service ended with ${code}`] : []),
      ...(ms > LONGEST_STOP_MS ? [`the service took ${ms} ms to end`] : []),
    ];
  }
}

function environmentFor({ roots }: Site) {
  return {
    PORT: '0',
    KNOWLEDGE_OFFLINE: '1',
    DATA_DIR: '/nowhere',
    KNOWLEDGE_ROOTS: roots,
    KNOWLEDGE_WORKER_MB: String(WORKER_MB),
  };
}
