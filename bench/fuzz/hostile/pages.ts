import { readFileSync } from 'node:fs';
import type { Random } from '../../faults/random.js';
import { once, type Plants, type Scene } from './plant.js';

/** Databases whose bytes say what they should not. */
export const PAGE_PLANTS: Plants = {
  'an overwritten page': once(inBytes(overwritePage)),
  'a cut file': once(inBytes((bytes, random) => bytes.subarray(0, random.below(bytes.length)))),
  'odd numbers': once(inBytes(oddNumbers)),
  'an odd header': once(inBytes(oddHeader)),
  'a tower of shared pages': once(inBytes(tower)),
  'no database at all': once(({ project, random }) =>
    project.write('.knowledge/knowledge.db', random.bytes(random.pick([0, 1, 100, 5000]))),
  ),
};

type Change = (bytes: Buffer, random: Random) => Buffer;

/** Changes the database that other plants have left, or an intact one. */
function inBytes(change: Change): (scene: Scene) => void {
  return ({ project, random, databases }) => {
    const path = '.knowledge/knowledge.db';
    let bytes = random.pick(databases);
    try {
      bytes = readFileSync(project.at(path));
    } catch {
      // There is none yet.
    }
    const changed = bytes.length < 1024 ? bytes : change(Buffer.from(bytes), random);
    project.write(path, changed);
  };
}

function pageSizeOf(bytes: Buffer): number {
  const size = bytes.readUInt16BE(16);
  return size === 1 ? 65_536 : Math.max(size, 512);
}

function overwritePage(bytes: Buffer, random: Random): Buffer {
  const size = pageSizeOf(bytes);
  const pages = Math.max(1, Math.floor(bytes.length / size));
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    const from = random.below(pages) * size;
    const start = random.below(pages) * size;
    random.pick([
      () => bytes.fill(0, start, start + size),
      () => bytes.fill(0xff, start, start + size),
      () => random.bytes(200).copy(bytes, start + random.below(size)),
      () => bytes.copy(bytes, start, from, from + size),
    ])();
  }
  return bytes;
}

/** Pointers to children, to the rest of long rows and to free pages that lead in circles; lengths that are wrong. */
function oddNumbers(bytes: Buffer, random: Random): Buffer {
  const size = pageSizeOf(bytes);
  const pages = Math.floor(bytes.length / size);
  for (let count = 1 + random.below(8); count > 0; count -= 1) {
    const page = random.below(pages) * size;
    const header = page === 0 ? 100 : 0;
    const number = random.pick([0, 1, 2 + random.below(pages), 0x7fffffff, 0xffffffff]);
    random.pick([
      () => bytes.writeUInt32BE(number, page + header + 8),
      () => bytes.writeUInt32BE(number, Math.min(page + random.below(size), bytes.length - 4)),
      () => bytes.writeUInt16BE(random.below(65_536), page + header + 3),
      () => bytes.writeUInt16BE(random.below(65_536), page + header + 5),
      () => bytes.writeUInt8(random.pick([2, 5, 10, 13, 0, 255]), page + header),
    ])();
  }
  return bytes;
}

function oddHeader(bytes: Buffer, random: Random): Buffer {
  for (let count = 1 + random.below(4); count > 0; count -= 1) {
    const value = random.pick([
      0,
      1,
      2,
      3,
      4,
      255,
      65_535,
      0x7fffffff,
      0xffffffff,
      random.below(1000),
    ]);
    random.pick([
      () => bytes.writeUInt16BE(value & 0xffff, 16),
      () => bytes.writeUInt8(value & 0xff, 18 + random.below(6)),
      () => bytes.writeUInt32BE(value, 24 + 4 * random.below(17)),
    ])();
  }
  return bytes;
}

/**
 * A tree of a few pages with billions of rows: each page points to the next one many times.
 * (sqlite.org/fileformat2.html, "B-tree Pages")
 */
function tower(bytes: Buffer, random: Random): Buffer {
  const size = pageSizeOf(bytes);
  const pages = Math.floor(bytes.length / size);
  const kind = random.pick([TABLE_INTERIOR, TABLE_INTERIOR, INDEX_INTERIOR]);
  const leaf = kind === TABLE_INTERIOR ? TABLE_LEAF : INDEX_LEAF;
  const roots = Array.from({ length: pages }, (_, page) => page).filter((page) =>
    [kind, leaf].includes(bytes.readUInt8(page * size + (page === 0 ? 100 : 0))),
  );
  const root = random.below(3) === 0 || roots.length === 0 ? 0 : random.pick(roots);
  const ground = Buffer.from(bytes.subarray(root * size, (root + 1) * size));
  // The first page begins with the header of the file; its cells stay where they are.
  if (root === 0) ground.copyWithin(0, 100, 100 + 112 + 2 * ground.readUInt16BE(103));
  const depth = 2 + random.below(10);
  const floors = Array.from({ length: depth - 1 }, (_, floor) =>
    floorOf({ size, kind, child: pages + floor + 2, header: 0 }),
  );
  const top = floorOf({ size, kind, child: pages + 1, header: root === 0 ? 100 : 0 });
  bytes.copy(top, 0, root * size, root * size + (root === 0 ? 100 : 0));
  top.copy(bytes, root * size);
  const taller = Buffer.concat([bytes.subarray(0, pages * size), ...floors, ground]);
  taller.writeUInt32BE(pages + depth, 28);
  return taller;
}

const [TABLE_INTERIOR, INDEX_INTERIOR, TABLE_LEAF, INDEX_LEAF] = [5, 2, 13, 10];

interface Floor {
  readonly size: number;
  readonly kind: number;
  readonly child: number;
  readonly header: number;
}

function floorOf({ size, kind, child, header }: Floor): Buffer {
  const page = Buffer.alloc(size);
  const count = Math.min(100, Math.floor((size - header - 12) / 10));
  page.writeUInt8(kind, header);
  page.writeUInt16BE(count, header + 3);
  page.writeUInt32BE(child, header + 8);
  for (let cell = 0; cell < count; cell += 1) {
    const place = size - 8 * (cell + 1);
    page.writeUInt32BE(child, place);
    if (kind === TABLE_INTERIOR) page.writeUInt8(cell & 0x7f, place + 4);
    else Buffer.from([3, 3, 0, 9]).copy(page, place + 4);
    page.writeUInt16BE(place, header + 12 + 2 * cell);
  }
  page.writeUInt16BE(size - 8 * count, header + 5);
  return page;
}
