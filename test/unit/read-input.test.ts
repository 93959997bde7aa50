import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readInput } from '../../src/adapters/cli/read-input.js';

const read = (bytes: Buffer) => readInput(Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]));

it('reads UTF-8, with and without a mark', async () => {
  expect(await read(Buffer.from('Größe ✓'))).toBe('Größe ✓');
  expect(await read(Buffer.from('\ufeffGröße'))).toBe('Größe');
});

it.each([
  ['UTF-16', Buffer.from('\ufeffGröße', 'utf16le')],
  ['UTF-16 without a mark', Buffer.from('plain words', 'utf16le')],
  ['Latin-1', Buffer.from('Größe', 'latin1')],
])('refuses %s with a sentence', async (_, bytes) => {
  await expect(read(bytes)).rejects.toThrow('not UTF-8 text');
});
