/**
 * A rollback journal without pages that names a super-journal. SQLite deletes the super-journal when it rolls the
 * journal back (sqlite.org/fileformat.html).
 * @param pages number of pages of the database beside it
 */
export function journalNaming(superJournal: string, pages: number): Buffer {
  const magic = Buffer.from('d9d505f920a163d7', 'hex');
  const header = Buffer.alloc(512);
  magic.copy(header);
  for (const [index, field] of [0, 1, pages, 512, PAGE_BYTES].entries())
    header.writeUInt32BE(field, 8 + index * 4);
  const name = Buffer.from(superJournal);
  const checksum = name.reduce((sum, byte) => sum + byte, 0);
  const lockingPage = 0x40000000 / PAGE_BYTES + 1;
  return Buffer.concat([header, word(lockingPage), name, word(name.length), word(checksum), magic]);
}

const PAGE_BYTES = 4096;

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
