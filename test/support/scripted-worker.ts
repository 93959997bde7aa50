import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const SERVE = new URL('../../dist/adapters/workers/serve-worker.js', import.meta.url);
const SERVICE = new URL('../../dist/adapters/workers/worker-service.js', import.meta.url);
const ERRORS = new URL('../../dist/domain/errors.js', import.meta.url);

/**
 * The entry point of a worker whose searches do what the query says, and whose notes are written to `notes` in the folder.
 * While there is a file `broken`, a worker ends at once and adds a letter to `starts`. Works on a project are noted as a real
 * core does.
 */
export function writeScriptedWorker(folder: string): URL {
  const file = join(folder, 'worker.mjs');
  writeFileSync(
    file,
    `
    import { appendFileSync, existsSync } from 'node:fs';
    import { serveWorker } from '${SERVE}';
    import { KnowledgeError } from '${ERRORS}';

    if (existsSync('${join(folder, 'broken')}')) {
      appendFileSync('${join(folder, 'starts')}', 'x');
      process.exit(1);
    }
    const forever = () => { for (;;); };
    const eaten = [];
    let left;

    serveWorker(({ role, embedder, logger, metrics, noteWork, exclusively }) => {
      const search = async (projectPath, query) => {
        noteWork(projectPath);
        if (query === 'loop') forever();
        if (query === 'crash') process.exit(3);
        if (query === 'eat') for (;;) { eaten.push(Buffer.alloc(2 ** 24, 1)); await new Promise(setImmediate); }
        if (query === 'wait') await new Promise((resolve) => setTimeout(resolve, 200));
        if (query === 'fail') throw Object.assign(new Error('no'), { stack: 'secret' });
        if (query === 'missing') throw new KnowledgeError('project_not_found', 'no');
        if (query === 'count') metrics.retried('vectors');
        if (query === 'embed') return [...(await embedder.embed('three'))];
        if (query === 'log') logger.warn('said', { reason: new Error('because') });
        if (query === 'alone') return exclusively(projectPath, async () => process.pid);
        return { pid: process.pid, role };
      };
      return {
        services: {
          store: {
            search,
            reindex: async (projectPath, { onProgress, signal } = {}) => {
              noteWork(projectPath);
              if (projectPath.endsWith('stuck')) forever();
              if (projectPath.endsWith('leaving')) {
                const found = left && (left.deref() === undefined ? 'collected' : 'still there');
                left = new WeakRef({});
                return found;
              }
              onProgress?.(1);
              if (signal) await new Promise((resolve) => signal.addEventListener('abort', resolve));
              return 'reindexed';
            },
          },
          notes: {
            addNote: async (projectPath, note) => {
              noteWork(projectPath);
              appendFileSync('${join(folder, 'notes')}', note + '\\n');
              if (note === 'loop') forever();
              return { pid: process.pid, role };
            },
          },
        },
        totals: async () => role,
        release: async () => undefined,
        wake: async () => undefined,
        stop: async () => undefined,
      };
    });
    `,
  );
  return pathToFileURL(file);
}

/** A program with two such workers, whose process ids it prints before one of them is stuck in a note. */
export function writeServiceStuckInANote(folder: string): string {
  const file = join(folder, 'service.mjs');
  writeFileSync(
    file,
    `
    import { WorkerService } from '${SERVICE}';

    const service = new WorkerService({
      file: new URL('${writeScriptedWorker(folder)}'),
      settings: {},
      workers: 2,
      maxMb: 256,
      embedder: { model: 'none', dimensions: 384, status: () => ({ state: 'ready' }) },
      clock: { monotonic: () => performance.now() },
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    });
    await service.ready();
    process.stdout.write(JSON.stringify(service.processIds));
    service.services.notes.addNote('/p', 'loop');
    `,
  );
  return file;
}
