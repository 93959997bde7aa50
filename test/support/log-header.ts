interface LogHeader {
  readonly version: number;
  readonly pageSize: number;
}

/** The first 32 bytes of a write-ahead log, summed as SQLite does (sqlite.org/fileformat2.html, "Checksum Algorithm"). */
export function logHeader({ version, pageSize }: LogHeader): Buffer {
  const header = Buffer.alloc(32);
  [0x377f0682, version, pageSize, 0, 1, 2].forEach((value, i) => {
    header.writeUInt32BE(value, 4 * i);
  });
  let [first, second] = [0, 0];
  for (let place = 0; place < 24; place += 8) {
    first = (first + header.readUInt32LE(place) + second) >>> 0;
    second = (second + header.readUInt32LE(place + 4) + first) >>> 0;
  }
  header.writeUInt32BE(first, 24);
  header.writeUInt32BE(second, 28);
  return header;
}
