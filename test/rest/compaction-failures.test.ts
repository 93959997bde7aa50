import { afterEach, describe, expect, it } from 'vitest';
import { noLanguageModel } from '../../src/app/null-objects/no-language-model.js';
import { KnowledgeError } from '../../src/domain/errors.js';
import type { ProjectFiles } from '../../src/ports/driven/project-files.js';
import {
  ARCHITECTURE,
  type CompactionOptions,
  type CompactionWorld,
  shortening,
  startCompaction,
} from '../support/compaction-world.js';
import type { Reply } from '../support/model-endpoint.js';
import * as replies from '../support/model-endpoint-replies.js';
import { hasRealProject } from '../support/real-project.js';

const IMPATIENT_MS = 100;

describe.skipIf(!hasRealProject)('compaction of the real architecture.md that fails', () => {
  const open: CompactionWorld[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((subject) => subject.dispose()));
  });

  async function start(options?: CompactionOptions): Promise<CompactionWorld> {
    const subject = await startCompaction(options);
    open.push(subject);
    return subject;
  }

  it.each<[string, Reply]>([
    ['answers 500', replies.status(500)],
    ['answers 503', replies.status(503, { 'retry-after': '7' })],
    ['answers 429', replies.status(429)],
    ['answers 401', replies.status(401)],
    ['answers garbage', replies.garbage],
    ['answers HTML', replies.html],
    ['answers nothing', replies.answering('')],
    ['answers white space', replies.answering(' \n\n')],
    ['has no choices', replies.emptyChoices],
    ['is cut off', replies.cutOff('# architecture')],
    ['answers more than it got', replies.answering(({ data }) => `${data}\n${data}`)],
    ['answers what it got', replies.answering(({ data }) => data)],
    ['answers frontmatter alone', replies.answering('---\ntags: [a]\n---\n')],
    ['fails at the third part', replies.inTurn(shortening, shortening, replies.status(500))],
    ['has nothing to say of the third part', thirdPart(replies.answering('---\n---\n'))],
  ])('is not done, and says why, when the model %s', async (_, reply) => {
    const subject = await start({ reply });
    const report = await subject.compact();
    expect(report.compacted).toBe(false);
    expect(report.reason).toMatch(/summary/);
    expect(report.tokensAfter).toBe(report.tokensBefore);
    await expectUntouched(subject);
  });

  it.each<[string, CompactionOptions]>([
    ['is set', { summarizer: noLanguageModel }],
    ['answers in time', { reply: replies.hang, timeoutMs: IMPATIENT_MS }],
  ])('needs a model: it is unavailable where none %s', async (_, options) => {
    const subject = await start(options);
    await expect(subject.compact()).rejects.toMatchObject({ code: 'model_unavailable' });
    await expectUntouched(subject);
  });

  it('needs a model: it is unavailable without one', async () => {
    const subject = await start();
    await subject.endpoint.close();
    await expect(subject.compact()).rejects.toMatchObject({ code: 'model_unavailable' });
    await expectUntouched(subject);
  });

  it('does not replace a category that changed while it was being summarized', async () => {
    const { compact, endpoint, history, text, world } = await start();
    const changed = `${text}\n\n### New (2026-01-05)\n- Lesson.\n`;
    endpoint.answerWith(async (response, request) => {
      await world.write(ARCHITECTURE, changed);
      return shortening(response, request);
    });
    const report = await compact();
    expect(report).toMatchObject({ compacted: false, reason: expect.stringContaining('changed') });
    expect(await world.read(ARCHITECTURE)).toBe(changed);
    expect(await history()).toEqual([]);
  });

  it('leaves the file as it is when the disk is full, and can be done later', async () => {
    const disk = { isFull: true };
    const full = new KnowledgeError('storage_full', 'The disk is full.');
    const { compact, text, world } = await start({
      filesOver: (real) => ({
        ...bound(real),
        replaceText: (...args) => (disk.isFull ? Promise.reject(full) : real.replaceText(...args)),
      }),
    });
    await expect(compact()).rejects.toBe(full);
    expect(await world.read(ARCHITECTURE)).toBe(text);
    disk.isFull = false;
    expect(await compact()).toMatchObject({ compacted: true });
  });

  it('leaves the file as it is when the old text cannot be kept', async () => {
    const { compact, text, world } = await start();
    await world.write('memory/.history', 'in the way');
    await expect(compact()).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(await world.read(ARCHITECTURE)).toBe(text);
  });
});

async function expectUntouched({ history, idsFor, text, world }: CompactionWorld): Promise<void> {
  expect((await world.read(ARCHITECTURE)) === text).toBe(true);
  expect(await history()).toEqual([]);
  expect(await idsFor('"Breaking if changed"')).not.toEqual([]);
}

function thirdPart(reply: Reply): Reply {
  return replies.inTurn(shortening, shortening, reply, shortening);
}

/** The methods of an object as values of their own. */
function bound(files: ProjectFiles): ProjectFiles {
  return {
    hasApplicationDirectory: (...args) => files.hasApplicationDirectory(...args),
    listFeatures: (...args) => files.listFeatures(...args),
    listCategories: (...args) => files.listCategories(...args),
    listDocuments: (...args) => files.listDocuments(...args),
    listMarkdown: (...args) => files.listMarkdown(...args),
    exists: (...args) => files.exists(...args),
    readText: (...args) => files.readText(...args),
    readTail: (...args) => files.readTail(...args),
    statOf: (...args) => files.statOf(...args),
    isStill: (...args) => files.isStill(...args),
    versionOf: (...args) => files.versionOf(...args),
    writeText: (...args) => files.writeText(...args),
    createText: (...args) => files.createText(...args),
    replaceText: (...args) => files.replaceText(...args),
    copy: (...args) => files.copy(...args),
    deleteFile: (...args) => files.deleteFile(...args),
  };
}
