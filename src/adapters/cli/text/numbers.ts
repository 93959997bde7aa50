/** `1,234`. */
export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** `1 chunk`, `2 chunks`. */
export function counted(value: number, noun: string): string {
  return `${grouped(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** `412 B`, `1.3 MB`. */
export function sized(bytes: number): string {
  const unit = UNITS.findLast(({ size }) => bytes >= size);
  if (unit === undefined) return `${bytes} B`;
  const value = bytes / unit.size;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit.name}`;
}

/** `45 s`, `3 min`, `1 h 20 min`. */
export function lasting(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const UNITS = [
  { name: 'kB', size: 1000 },
  { name: 'MB', size: 1_000_000 },
  { name: 'GB', size: 1_000_000_000 },
] as const;
