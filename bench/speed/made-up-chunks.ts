import { readFileSync } from 'node:fs';
import type { Vector } from '../../src/domain/ranking/vector.js';
import { generator } from '../quality/statistics.js';

export const DIMENSIONS = 384;
const CHUNKS_PER_SOURCE = 20;
const SENTENCES_PER_CHUNK = 6;
const TOPICS = 200;

export interface MadeUpChunk {
  readonly id: string;
  readonly content: string;
  readonly vector: Vector;
}

export interface MadeUpSource {
  readonly sourceFile: string;
  readonly chunks: readonly MadeUpChunk[];
}

/**
 * Chunks made of the sentences of a corpus in the format of BEIR, with random vectors around 200 topics; the same in
 * every run.
 */
export class MadeUpChunks {
  readonly #random = generator(1);
  readonly #sentences: readonly string[];
  readonly #titles: readonly string[];
  readonly #topics: readonly Vector[];

  constructor(corpus: string) {
    const texts = readFileSync(corpus, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly title: string; readonly text: string });
    this.#sentences = texts.flatMap(({ text }) => text.split(/(?<=\.) /));
    this.#titles = texts.map(({ title }) => title);
    this.#topics = Array.from({ length: TOPICS }, () =>
      this.#around(new Float32Array(DIMENSIONS), 1),
    );
  }

  sources(chunks: number): readonly MadeUpSource[] {
    return Array.from({ length: Math.ceil(chunks / CHUNKS_PER_SOURCE) }, (_, source) => {
      const sourceFile = `docs/${source}.md`;
      const made = Array.from({ length: CHUNKS_PER_SOURCE }, (_, place) => ({
        id: `${sourceFile}#${place}`,
        content: this.#text(),
        vector: this.vector(),
      }));
      return { sourceFile, chunks: made };
    });
  }

  /** The first words of a title of the corpus. */
  query(words: number): readonly string[] {
    return this.#pick(this.#titles).split(' ').slice(0, words);
  }

  /** Words that follow each other in some text. */
  passage(words: number): readonly string[] {
    return this.#text().split(/\s+/).slice(0, words);
  }

  vector(): Vector {
    return this.#around(this.#pick(this.#topics), 0.6);
  }

  #text(): string {
    const sentences = Array.from({ length: SENTENCES_PER_CHUNK }, () =>
      this.#pick(this.#sentences),
    );
    return sentences.join(' ');
  }

  #around(center: Vector, deviation: number): Vector {
    return center.map((value) => value + deviation * this.#gaussian());
  }

  #gaussian(): number {
    const [radius, angle] = [this.#random(), this.#random()];
    return Math.sqrt(-2 * Math.log(1 - radius)) * Math.cos(2 * Math.PI * angle);
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }
}
