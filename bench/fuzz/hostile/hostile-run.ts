import { setTimeout as pause } from 'node:timers/promises';
import type { FuzzOptions } from '../family.js';
import { HostileProject } from './hostile-project.js';
import { Site } from './site.js';
import type { TestedService } from './tested-service.js';
import { tracesIn } from './traces.js';
import { visited } from './visits.js';
import type { WatchEvent } from './watch.js';

const AT_ONCE = 8;
const PROJECTS_OF_SERVICE = 480;
/** Longer than a worker may be stuck. */
const LONGEST_LINGERING_MS = 22_000;

interface HostileRunOptions extends FuzzOptions {
  /** After so many failures it ends; default 5. */
  readonly mostFailures?: number;
}

interface Seen {
  readonly seed: number;
  readonly plants: readonly string[];
  readonly begin: number;
  readonly end: number;
}

/**
 * Hostile projects, a few at once, with one service for many. When the watch has seen something, no more are begun until those
 * that it may be put down to have been used again, each alone: it counts if it happens again then.
 */
export class HostileRun {
  readonly failures: string[] = [];
  readonly #options: HostileRunOptions;
  readonly #site: Site;
  readonly #start: (site: Site) => Promise<TestedService>;
  #service: TestedService;
  #begun = 0;
  #ofService = 0;
  #once = 0;
  readonly #inUse = new Set<number>();
  #replaced = 0;
  /** Projects whose clients have left, and which may still keep a worker busy. */
  #lingering: readonly Seen[] = [];
  #largest = '';
  #slowest = '';

  static async make(
    options: HostileRunOptions,
    start: (site: Site) => Promise<TestedService>,
  ): Promise<HostileRun> {
    const site = await Site.make();
    return new HostileRun({ options, site, start, service: await start(site) });
  }

  private constructor(parts: {
    readonly options: HostileRunOptions;
    readonly site: Site;
    readonly start: (site: Site) => Promise<TestedService>;
    readonly service: TestedService;
  }) {
    this.#options = parts.options;
    this.#site = parts.site;
    this.#start = parts.start;
    this.#service = parts.service;
  }

  /** Figures of the run. */
  async run(): Promise<readonly string[]> {
    while (this.#begun < this.#options.runs && !this.#hasFailed) {
      await this.#untilSomethingIsSeen();
      process.stdout.write(`${new Date().toISOString()}: ${this.#begun} projects\n`);
      if (this.#isServiceSpent) await this.#restart();
    }
    this.failures.push(...(await this.#service.stop()));
    this.#site.remove();
    return [
      `${this.#begun} projects; ${this.#once} slow moments that did not happen again with the project alone`,
      `workers were replaced ${this.#replaced} times; the largest had ${this.#largest}`,
      `the slowest search of the witness with the last service took ${this.#slowest}`,
    ];
  }

  /** Number of projects so far. */
  get begun(): number {
    return this.#begun;
  }

  get #hasFailed(): boolean {
    return this.failures.length >= (this.#options.mostFailures ?? 5);
  }

  async #untilSomethingIsSeen(): Promise<void> {
    const seen: Seen[] = [];
    const lane = async () => {
      while (this.#isCalm) seen.push(await this.#use(this.#next()));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    const events = await this.#events();
    if (events.length > 0) process.stdout.write(`${this.#service.lastWords}\n`);
    const suspects = [...seen, ...this.#lingering];
    this.#lingering = suspects.filter(({ end }) => end > Date.now());
    for (const one of suspects) {
      const during = events.filter((event) => isDuring(event, one)).map(sentence);
      if (during.length > 0 && !this.#hasFailed) await this.#again(one.seed, during);
    }
  }

  get #isCalm(): boolean {
    const isEnough = this.#begun >= this.#options.runs || this.#isServiceSpent;
    return !isEnough && !this.#hasFailed && this.#service.watch.isCalm;
  }

  get #isServiceSpent(): boolean {
    return this.#ofService >= PROJECTS_OF_SERVICE || !this.#service.isRunning;
  }

  #next(): number {
    this.#begun += 1;
    this.#ofService += 1;
    return this.#options.seed + this.#begun - 1;
  }

  /** What the watch has seen counts if it happens again when the project is alone. */
  async #again(seed: number, problems: readonly string[]): Promise<void> {
    if (!this.#service.isRunning) await this.#restart();
    const { end, plants } = await this.#use(seed);
    await pause(Math.max(0, end - Date.now()));
    const again = (await this.#events()).map(sentence);
    if (again.length > 0) return this.#fail({ seed, plants }, again);
    this.#once += 1;
    process.stdout.write(`once, seed ${seed}: ${problems.join('; ').slice(0, 300)}\n`);
  }

  #fail(
    { seed, plants }: Pick<HostileProject, 'seed' | 'plants'>,
    problems: readonly string[],
  ): void {
    const what = [...new Set(problems)].join('; ');
    this.failures.push(
      `seed ${seed}, after ${this.#begun} projects (${plants.join(', ')}): ${what}`,
    );
    process.stdout.write(`${this.failures.at(-1)}\n`);
  }

  async #use(seed: number): Promise<Seen> {
    this.#inUse.add(seed);
    const project = new HostileProject(this.#site, seed);
    const begin = Date.now();
    const { problems: answers, hasLeft } = await visited(this.#service, project);
    project.stop();
    const end = Date.now() + (hasLeft ? LONGEST_LINGERING_MS : 0);
    const problems = [...answers, ...tracesIn(project.path)];
    await project.remove();
    problems.push(...this.#changesOutside());
    this.#inUse.delete(seed);
    if (answers.length > 0) process.stdout.write(`${this.#service.lastBug}\n`);
    if (problems.length > 0) this.#fail(project, problems);
    return { seed, plants: project.plants, begin, end };
  }

  /** Any of those in use may have made them. */
  #changesOutside(): readonly string[] {
    const changes = this.#site.changesOutside();
    return changes.length === 0 ? [] : [...changes, `in use: ${[...this.#inUse].join(' ')}`];
  }

  async #events(): Promise<readonly WatchEvent[]> {
    const events = this.#service.watch.taken();
    this.#replaced += events.filter(({ what }) => what === 'replaced').length;
    this.#largest = events.findLast(({ what }) => what === 'largest')?.value ?? this.#largest;
    this.#slowest = events.findLast(({ what }) => what === 'slowest')?.value ?? this.#slowest;
    const ended = {
      what: `the service ended: ${this.#service.lastWords}`,
      at: Date.now(),
      ms: 1e9,
    };
    return [
      ...events.filter(({ isAllowed }) => !isAllowed),
      ...(this.#service.isRunning ? [] : [ended]),
    ];
  }

  async #restart(): Promise<void> {
    this.failures.push(...(await this.#service.stop()));
    this.#service = await this.#start(this.#site);
    this.#ofService = 0;
  }
}

/** Events are noticed a moment after their cause. */
const NOTICED_AFTER_MS = 500;

function isDuring({ at, ms = 0 }: WatchEvent, { begin, end }: Seen): boolean {
  return begin <= at && at - ms - NOTICED_AFTER_MS <= end;
}

function sentence({ what, ms, value }: WatchEvent): string {
  return [what, ms !== undefined && `${Math.round(ms)} ms`, value].filter(Boolean).join(' ');
}
