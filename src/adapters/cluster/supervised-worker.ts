import type { Worker } from 'node:cluster';
import type { Socket } from 'node:net';
import type { PrimaryMessage } from './messages.js';
import type { WorkerLink } from './worker-link.js';

/** A worker from its supervisor's point of view. */
export interface SupervisedWorker {
  readonly process: Worker;
  readonly link: WorkerLink;
  /** The port that the worker was told to ask for; empty if it asks for the configured one. */
  readonly port: Port;
  /** Connections handed to the worker that it has not taken yet, in order. */
  readonly offered: Set<Socket>;
  isReady: boolean;
  isBusy: boolean;
  missedHeartbeats: number;
}

export interface Port {
  readonly PORT?: string;
}

/** Closes the supervisor's handle of the oldest connection offered, which the worker now has. */
export function closeOffered({ offered }: SupervisedWorker): void {
  const [connection] = offered;
  if (connection !== undefined && offered.delete(connection)) connection.destroy();
}

export function send(worker: Worker, message: PrimaryMessage): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}

export function kill({ process }: SupervisedWorker): void {
  process.process.kill('SIGKILL');
}
