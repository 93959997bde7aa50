import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client';
import type {
  BackgroundWorkName,
  MeasuredEmbedding,
  MeasuredModelCall,
  MeasuredRequest,
  MeasuredSearch,
  Metrics,
} from '../../ports/metrics.js';

/** A gauge whose value is read whenever the metrics are. */
interface Reading {
  readonly name: string;
  readonly help: string;
  readonly read: () => number | Promise<number>;
}

/** Collects metrics for Prometheus. Every label has few values, all known when the service starts. */
export class PrometheusMetrics implements Metrics {
  readonly #registry = new Registry();
  readonly #requests = this.#histogram('http_request_seconds', 'Time until a response was sent.', [
    'method',
    'route',
    'status',
  ]);
  readonly #searches = this.#histogram('search_seconds', 'Time to rank the chunks for a search.', [
    'mode',
  ]);
  readonly #candidates = this.#chunks('search_candidates', 'Chunks that a search ranked.');
  readonly #results = this.#chunks('search_results', 'Chunks that a search returned.');
  readonly #modelCalls = this.#histogram(
    'model_call_seconds',
    'Time of a call to the small language model.',
    ['task', 'outcome'],
  );
  readonly #embeddings = this.#histogram('embedding_seconds', 'Time to embed a query or a batch.', [
    'kind',
  ]);
  readonly #waitingEmbeddings = new Gauge({
    name: `${PREFIX}embeddings_waiting`,
    help: 'Queries and batches waiting for the embedding model.',
    registers: [this.#registry],
  });
  readonly #retries = new Counter({
    name: `${PREFIX}retries_total`,
    help: 'Steps of background work that failed and were retried.',
    labelNames: ['work'],
    registers: [this.#registry],
  });
  readonly #texts = new Counter({
    name: `${PREFIX}embedded_texts_total`,
    help: 'Texts that were turned into vectors.',
    labelNames: ['kind'],
    registers: [this.#registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** MIME type of the text that `read` returns. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  served({ method, route, status, seconds }: MeasuredRequest): void {
    this.#requests.observe({ method, route, status }, seconds);
  }

  searched({ mode, seconds, candidates, results }: MeasuredSearch): void {
    this.#searches.observe({ mode }, seconds);
    this.#candidates.observe({ mode }, candidates);
    this.#results.observe({ mode }, results);
  }

  retried(work: BackgroundWorkName): void {
    this.#retries.inc({ work });
  }

  embeddingWaits(change: 'begins' | 'ends'): void {
    this.#waitingEmbeddings.inc(change === 'begins' ? 1 : -1);
  }

  modelCalled({ task, outcome, seconds }: MeasuredModelCall): void {
    this.#modelCalls.observe({ task, outcome }, seconds);
  }

  embedded({ kind, texts, seconds }: MeasuredEmbedding): void {
    this.#embeddings.observe({ kind }, seconds);
    this.#texts.inc({ kind }, texts);
  }

  measure({ name, help, read }: Reading): void {
    new Gauge({
      name: PREFIX + name,
      help,
      registers: [this.#registry],
      async collect() {
        this.set(await read());
      },
    });
  }

  /** Returns all metrics of this process, in the Prometheus text format. */
  read(): Promise<string> {
    return this.#registry.metrics();
  }

  /** Lets the primary read the metrics of this worker, to sum them over all workers. */
  share(): void {
    AggregatorRegistry.setRegistries(this.#registry);
    new AggregatorRegistry();
  }

  #chunks(name: string, help: string): Histogram<'mode'> {
    return new Histogram({
      name: PREFIX + name,
      help,
      labelNames: ['mode'],
      buckets: [0, 1, 5, 10, 20, 50, 100],
      registers: [this.#registry],
    });
  }

  #histogram<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
  ): Histogram<Label> {
    return new Histogram({
      name: PREFIX + name,
      help,
      labelNames: [...labelNames],
      buckets: SECONDS,
      registers: [this.#registry],
    });
  }
}

/** Reads the sum over all workers, in the primary. Fails if one of them does not respond within 5 seconds. */
export function workerMetrics(): () => Promise<string> {
  const sum = new AggregatorRegistry();
  return () => sum.clusterMetrics();
}

const PREFIX = 'knowledge_';

const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
