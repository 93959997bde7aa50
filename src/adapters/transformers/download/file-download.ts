import { type FileHandle, open } from 'node:fs/promises';
import type { DownloadStatus } from '../../../ports/embedder.js';

export interface FileDownload {
  readonly url: string;
  readonly target: string;
  /** Maximum size of the file. A larger one is refused, if possible by its declared length before it is read. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Called after each part of a file whose length the hub declares. */
  readonly onProgress: (progress: DownloadStatus) => void;
}

/**
 * Downloads one file from a hub, flushes it to disk and returns its size. `fetch` fails if the body is shorter than
 * declared, or if nothing arrives for five minutes; the whole download may take any time.
 * @throws Error with the reason; a partially written file is not removed
 */
export async function downloadFile(download: FileDownload): Promise<number> {
  const { url, target, signal } = download;
  // Without compression, the declared length is the length of the file.
  const response = await fetch(url, { signal, headers: { 'accept-encoding': 'identity' } });
  let handle: FileHandle | undefined;
  try {
    if (!response.ok) throw refusal(response.status, url);
    handle = await open(target, 'w');
    const bytes = await save(response, handle.writeFile.bind(handle), download);
    await handle.sync();
    return bytes;
  } finally {
    // An unread body would keep its connection open.
    await response.body?.cancel().catch(() => undefined);
    await handle?.close();
  }
}

/** The hub lacks a file or refuses to send it; trying again would not help. */
export class HubRefusal extends Error {}

function refusal(status: number, url: string): Error {
  const message = `the hub responded with ${status} for ${new URL(url).pathname}`;
  const isFinal = 400 <= status && status < 500 && status !== 408 && status !== 429;
  return isFinal ? new HubRefusal(message) : new Error(message);
}

async function save(
  response: Response,
  write: (part: Uint8Array) => Promise<void>,
  { maxBytes, onProgress }: FileDownload,
): Promise<number> {
  const total = declaredLength(response);
  let done = 0;
  checkLength(total ?? 0, maxBytes);
  for await (const part of response.body ?? []) {
    done += part.length;
    checkLength(done, maxBytes);
    await write(part);
    if (total !== undefined) onProgress({ done, total });
  }
  return done;
}

function declaredLength({ headers }: Response): number | undefined {
  const length = headers.get('content-length');
  return length === null || headers.has('content-encoding') ? undefined : Number(length);
}

function checkLength(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) throw new Error(`the hub sent more than the maximum of ${maxBytes} bytes`);
}

const HAND_COPIED =
  'config.json, tokenizer.json, tokenizer_config.json and onnx/model_quantized.onnx';

/**
 * Lists ways to get a model without the hub, one per line. A proxy is suggested unless it is turned on: `fetch` uses a
 * proxy of the environment only if Node is told to.
 */
export function offlineHint(folder: string, env = process.env): string {
  const usesProxy =
    env['NODE_USE_ENV_PROXY'] === '1' && process.allowedNodeEnvironmentFlags.has('--use-env-proxy');
  return [
    'Set KNOWLEDGE_MODEL_HOST to the address of a mirror.',
    `Or copy ${HAND_COPIED} to ${folder}.`,
    ...(usesProxy ? [] : ['Or set HTTPS_PROXY and NODE_USE_ENV_PROXY=1, with Node 24 or newer.']),
  ].join('\n');
}
