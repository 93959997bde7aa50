import wabt from 'wabt';

/** Dot products of rows of 8-bit integers with one row of 16-bit integers. */
export interface DotProducts {
  /** A row after the other. */
  readonly codes: Int8Array;
  readonly query: Int16Array;
  /** One a row. */
  readonly results: Int32Array;
  /** Multiplies the first so many rows with the query, and always the first of all. */
  compute(rows: number): void;
}

/** What makes room for rows; `dimensions` is a multiple of 16. */
export type NewDotProducts = (capacity: number, dimensions: number) => DotProducts;

/** Compiles the instructions below at the first call. */
export function loadDotProducts(): Promise<NewDotProducts> {
  compiled ??= compile();
  return compiled;
}

let compiled: Promise<NewDotProducts> | undefined;

async function compile(): Promise<NewDotProducts> {
  const { parseWat } = await wabt();
  const { buffer } = parseWat('dot-products.wat', INSTRUCTIONS, { simd: true }).toBinary({});
  const module = new WebAssembly.Module(buffer);
  return (capacity, dimensions) => {
    const queryAt = align(dimensions * capacity);
    const resultsAt = queryAt + align(2 * dimensions);
    const pages = Math.ceil((resultsAt + 4 * capacity) / PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial: pages });
    const { exports } = new WebAssembly.Instance(module, { room: { memory } });
    return {
      codes: new Int8Array(memory.buffer, 0, dimensions * capacity),
      query: new Int16Array(memory.buffer, queryAt, dimensions),
      results: new Int32Array(memory.buffer, resultsAt, capacity),
      compute: (rows) => exports.multiply(rows * dimensions, dimensions, queryAt, resultsAt),
    };
  };
}

const PAGE_BYTES = 65_536;
/** Bytes of a SIMD register. */
const REGISTER = 16;

function align(bytes: number): number {
  return Math.ceil(bytes / REGISTER) * REGISTER;
}

/**
 * SIMD takes a sixth of the time that JavaScript takes. Sixteen values at a time are widened to 16 bits, multiplied
 * with the query and added in pairs; 384 products of 127 and 32,767 stay within 32 bits.
 */
const INSTRUCTIONS = `(module
  (import "room" "memory" (memory 1))
  (func (export "multiply")
    (param $rowsEnd i32) (param $rowBytes i32) (param $query i32) (param $result i32)
    (local $row i32) (local $rowEnd i32) (local $with i32) (local $codes v128) (local $sums v128)
    (loop $nextRow
      (local.set $sums (v128.const i32x4 0 0 0 0))
      (local.set $with (local.get $query))
      (local.set $rowEnd (i32.add (local.get $row) (local.get $rowBytes)))
      (loop $nextCodes
        (local.set $codes (v128.load (local.get $row)))
        (local.set $sums (i32x4.add (local.get $sums) (i32x4.add
          (i32x4.dot_i16x8_s
            (i16x8.extend_low_i8x16_s (local.get $codes)) (v128.load (local.get $with)))
          (i32x4.dot_i16x8_s
            (i16x8.extend_high_i8x16_s (local.get $codes)) (v128.load offset=16 (local.get $with))))))
        (local.set $with (i32.add (local.get $with) (i32.const 32)))
        (local.set $row (i32.add (local.get $row) (i32.const 16)))
        (br_if $nextCodes (i32.lt_u (local.get $row) (local.get $rowEnd))))
      (i32.store (local.get $result) (i32.add
        (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
        (i32.add (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums)))))
      (local.set $result (i32.add (local.get $result) (i32.const 4)))
      (br_if $nextRow (i32.lt_u (local.get $row) (local.get $rowsEnd))))))`;

/** The part of WebAssembly that is used; the types of Node.js 20 leave it out. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Memory {
    readonly buffer: ArrayBuffer;
    constructor(size: { readonly initial: number });
  }
  class Instance {
    readonly exports: {
      multiply(rowsEnd: number, rowBytes: number, query: number, result: number): void;
    };
    constructor(module: Module, imports: { readonly room: { readonly memory: Memory } });
  }
}
