import { readdirSync, readFileSync } from 'node:fs';

/** CPU time of this process and of the sessions of a server, in milliseconds; Linux only. @param server 0 for none */
export function cpuMs(server: number): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + (server === 0 ? 0 : childrenMs(server));
}

const MS_PER_TICK = 10;

function childrenMs(parent: number): number {
  const ticks = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ticksOf(pid, parent));
  return ticks.reduce((sum, value) => sum + value, 0) * MS_PER_TICK;
}

/** See proc(5); the first two fields come before the last parenthesis. */
function ticksOf(pid: string, parent: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[1]) === parent ? Number(fields[11]) + Number(fields[12]) : 0;
  } catch {
    return 0;
  }
}
