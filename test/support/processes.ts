import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process and the processes that it has started, on Linux. */
export function processesOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
}

/**
 * The workers of a service that share the socket at its address, on Linux. May throw where one of their files is closed
 * meanwhile.
 */
export function listeners(service: {
  readonly url: string;
  readonly process: { readonly pid: number };
}): readonly number[] {
  const port = Number(new URL(service.url).port).toString(16).toUpperCase().padStart(4, '0');
  const sockets = readFileSync('/proc/net/tcp', 'latin1').split('\n');
  const listening = sockets.find((line) => line.includes(`:${port} 00000000:0000 0A`));
  const inode = listening?.trim().split(/\s+/)[9];
  const hasSocket = (pid: number) =>
    readdirSync(`/proc/${pid}/fd`)
      .map((file) => readlinkSync(`/proc/${pid}/fd/${file}`))
      .includes(`socket:[${inode}]`);
  return processesOf(service.process.pid).slice(1).filter(hasSocket);
}

/** Whether a program of this machine runs and ends with 0; many are allowed for root alone. */
export function succeeds(program: string, ...words: readonly string[]): boolean {
  try {
    execFileSync(program, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
