import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SHARED = fileURLToPath(new URL('../../../shared', import.meta.url));
const hasWeights = existsSync(`${SHARED}/models/Xenova/all-MiniLM-L6-v2/onnx/model_quantized.onnx`);

/** The short form of `npm run faults:embedding`. */
it.skipIf(!hasWeights)(
  'a service that is killed while it embeds leaves nothing half written and goes on (skipped without ../shared/models)',
  async () => {
    const script = 'bench/faults/kill-while-embedding.ts';
    const args = ['--import', 'tsx', script, SHARED, '3', '42'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
    expect(stdout).toMatch(/3 rounds without damage; \d+ chunks embedded, progress in 3 rounds/);
  },
  150_000,
);
