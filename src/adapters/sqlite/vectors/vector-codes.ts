import type { Vector } from '../../../domain/ranking/vector.js';
import type { DotProducts, NewDotProducts } from './dot-products.js';

/** Cosines of a query with every row, and how far each can be off at most. */
export interface Estimates {
  readonly cosines: Float64Array;
  readonly errors: Float64Array;
}

/**
 * Vectors of length 1 in one byte per value: every value as a whole number of steps, the step of a row
 * being the 127th part of its largest value. What the steps leave over bounds the error of a cosine
 * (Cauchy and Schwarz): about .007.
 */
export class VectorCodes {
  readonly #newDotProducts: NewDotProducts;
  readonly #dimensions: number;
  readonly #steps: number[] = [];
  readonly #leftOver: number[] = [];
  #dots: DotProducts;
  #capacity = 1024;

  constructor(newDotProducts: NewDotProducts, dimensions: number) {
    this.#newDotProducts = newDotProducts;
    this.#dimensions = dimensions;
    this.#dots = newDotProducts(this.#capacity, dimensions);
  }

  /** Adds a row; `unit` is of length 1. */
  add(unit: Vector): void {
    if (this.#steps.length === this.#capacity) this.#grow();
    const start = this.#steps.length * this.#dimensions;
    const codes = this.#dots.codes.subarray(start, start + this.#dimensions);
    const { step, leftOver } = toSteps(unit, LARGEST_CODE, codes);
    this.#steps.push(step);
    this.#leftOver.push(leftOver);
  }

  /** `unit` is of length 1. */
  estimate(unit: Vector): Estimates {
    const query = toSteps(unit, LARGEST_QUERY_CODE, this.#dots.query);
    const { results } = this.#dots;
    const size = this.#steps.length;
    this.#dots.compute(size);
    const cosines = new Float64Array(size);
    const errors = new Float64Array(size);
    for (let row = 0; row < size; row += 1) {
      const leftOver = this.#leftOver[row] as number;
      cosines[row] = (results[row] as number) * query.step * (this.#steps[row] as number);
      errors[row] = leftOver + query.leftOver * (1 + leftOver) + ROUNDING;
    }
    return { cosines, errors };
  }

  #grow(): void {
    const { codes } = this.#dots;
    this.#capacity *= 2;
    this.#dots = this.#newDotProducts(this.#capacity, this.#dimensions);
    this.#dots.codes.set(codes);
  }
}

const LARGEST_CODE = 127;
const LARGEST_QUERY_CODE = 32_767;
/** More than 32-bit floats of length 1 can be off. */
const ROUNDING = 1e-6;

interface Steps {
  readonly step: number;
  /** Length of what the whole numbers of steps leave over. */
  readonly leftOver: number;
}

function toSteps(unit: Vector, largest: number, codes: Int8Array | Int16Array): Steps {
  let maximum = 0;
  for (let i = 0; i < unit.length; i += 1) {
    const size = Math.abs(unit[i] as number);
    if (size > maximum) maximum = size;
  }
  const step = maximum / largest;
  let squares = 0;
  for (let i = 0; i < unit.length; i += 1) {
    const value = unit[i] as number;
    const code = Math.floor(value / step + 0.5);
    const leftOver = value - code * step;
    codes[i] = code;
    squares += leftOver * leftOver;
  }
  return { step, leftOver: Math.sqrt(squares) };
}
