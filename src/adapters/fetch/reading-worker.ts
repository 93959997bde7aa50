/** Entry point of a worker thread: converts the page in `workerData` to markdown, and exits. */
import { parentPort, workerData } from 'node:worker_threads';
import { splitFrontmatter } from '../../domain/chunks/frontmatter.js';
import { errorReason } from '../../domain/errors.js';
import { decodePage, type PageFormat } from './page-format.js';
import {
  type ReadablePage,
  type ReadingResult,
  type ReadingTask,
  UnreadablePage,
} from './readable-page.js';

async function runTask(task: ReadingTask): Promise<ReadingResult> {
  try {
    return { page: await READERS[task.format](task) };
  } catch (error) {
    if (error instanceof UnreadablePage) return { unreadable: error.message };
    // A parser error means unusual input, for example nesting that overflows the stack.
    return { unreadable: 'its content is malformed', cause: errorReason(error) };
  }
}

type Reader = (task: ReadingTask) => Promise<ReadablePage>;

/** The readers of all formats. Each loads only the packages that it needs. */
const READERS: Readonly<Record<PageFormat, Reader>> = {
  html: async ({ bytes, charset, url }) => {
    const { readHtml } = await import('./html-page.js');
    return readHtml(decodePage(bytes, charset), url);
  },
  text: async ({ bytes, charset }) => readTextPage(decodePage(bytes, charset)),
};

/** Reads a page of plain text or markdown. A `#` heading at its beginning becomes the title. */
function readTextPage(text: string): ReadablePage {
  const body = splitFrontmatter(text).body.trim();
  const [, title] = TITLE_LINE.exec(body) ?? [];
  const markdown = title === undefined ? body : body.replace(TITLE_LINE, '').trim();
  if (markdown === '') throw new UnreadablePage('it has no text');
  return { title: title ?? '', markdown };
}

const TITLE_LINE = /^# +(.+)/;

// At the end, because it uses the constants above.
parentPort?.postMessage(await runTask(workerData));
