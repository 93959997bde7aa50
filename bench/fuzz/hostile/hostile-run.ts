import { setTimeout as pause } from 'node:timers/promises';
import type { FuzzOptions } from '../family.js';
import { HostileProject } from './hostile-project.js';
import { Site } from './site.js';
import type { TestedService } from './tested-service.js';
import { tracesIn } from './traces.js';
import { visited } from './visits.js';
import type { WatchEvent } from './watch.js';

const AT_ONCE = 6;
const BATCH = 24;
const PROJECTS_OF_SERVICE = 480;
const MOST_FAILURES = 5;
/** Longer than a worker may be stuck. */
const LONGEST_LINGERING_MS = 22_000;

interface Seen {
  readonly project: HostileProject;
  readonly begin: number;
  readonly end: number;
  readonly problems: readonly string[];
}

/**
 * Hostile projects in batches, a few at once, with one service for many. What cannot be put down to one of them counts
 * if it happens again when that one is alone.
 */
export class HostileRun {
  readonly failures: string[] = [];
  readonly #options: FuzzOptions;
  readonly #site: Site;
  readonly #start: (site: Site) => Promise<TestedService>;
  #service: TestedService;
  #done = 0;
  #once = 0;
  #replaced = 0;
  /** Projects whose clients have left, and which may still keep a worker busy. */
  #lingering: readonly Seen[] = [];
  #largest = '';
  #slowest = '';

  static async make(
    options: FuzzOptions,
    start: (site: Site) => Promise<TestedService>,
  ): Promise<HostileRun> {
    const site = await Site.make();
    return new HostileRun({ options, site, start, service: await start(site) });
  }

  private constructor(parts: {
    readonly options: FuzzOptions;
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
    const { runs, seed } = this.#options;
    while (this.#done < runs && this.failures.length < MOST_FAILURES) {
      const count = Math.min(BATCH, runs - this.#done);
      await this.#batch(Array.from({ length: count }, (_, i) => seed + this.#done + i));
      this.#done += count;
      if (this.#done % PROJECTS_OF_SERVICE === 0) await this.#restart();
    }
    this.failures.push(...(await this.#service.stop()));
    this.#site.remove();
    return [
      `${this.#done} projects; ${this.#once} slow moments that did not happen again with the project alone`,
      `workers were replaced ${this.#replaced} times; the largest had ${this.#largest}`,
      `the slowest search of the witness with the last service took ${this.#slowest}`,
    ];
  }

  async #batch(seeds: readonly number[]): Promise<void> {
    const queue = [...seeds];
    const seen: Seen[] = [];
    const lane = async () => {
      for (let seed = queue.shift(); seed !== undefined; seed = queue.shift())
        seen.push(await this.#use(seed));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    const events = await this.#events();
    const suspects = [...seen, ...this.#lingering];
    this.#lingering = suspects.filter(({ end }) => end > Date.now());
    for (const { project, problems } of seen) {
      if (problems.length > 0) this.#fail(project, problems);
    }
    for (const one of suspects) {
      const during = events.filter((event) => isDuring(event, one)).map(sentence);
      if (during.length > 0) await this.#again(one.project.seed, during);
    }
  }

  /** What the watch has seen counts if it happens again when the project is alone. */
  async #again(seed: number, problems: readonly string[]): Promise<void> {
    if (!this.#service.isRunning) await this.#restart();
    const one = await this.#use(seed);
    await pause(Math.max(0, one.end - Date.now()));
    const again = [...one.problems, ...(await this.#events()).map(sentence)];
    if (again.length > 0) return this.#fail(one.project, again);
    this.#once += 1;
    process.stdout.write(`once, seed ${seed}: ${problems.join('; ').slice(0, 300)}\n`);
  }

  #fail({ seed, plants }: HostileProject, problems: readonly string[]): void {
    const what = [...new Set(problems)].join('; ');
    this.failures.push(
      `seed ${seed}, after ${this.#done} projects (${plants.join(', ')}): ${what}`,
    );
    process.stdout.write(`${this.failures.at(-1)}\n`);
  }

  async #use(seed: number): Promise<Seen> {
    const project = new HostileProject(this.#site, seed);
    const begin = Date.now();
    const { problems: answers, hasLeft } = await visited(this.#service, project);
    project.stop();
    const end = Date.now() + (hasLeft ? LONGEST_LINGERING_MS : 0);
    const problems = [...answers, ...tracesIn(project.path)];
    await project.remove();
    problems.push(...this.#site.changesOutside());
    return { project, begin, end, problems };
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
