import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The ids of a process and its child processes. Linux only. */
export function processesOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
}

/**
 * The workers of a service that share the socket at its address. Linux only. May throw if a worker closes a file
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

/** Whether a program can be run here and exits with 0. Many programs only work as root. */
export function succeeds(program: string, ...words: readonly string[]): boolean {
  try {
    execFileSync(program, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
