import { getDocumentProxy } from 'unpdf';
import { isRecord } from '../../domain/records.js';
import { type ReadablePage, UnreadablePage } from './readable-page.js';

/**
 * The text of a PDF, one `##` section per page. Nothing in it is executed, and nothing is drawn.
 * @throws UnreadablePage if it has no text, as a scan, or too many pages, or is damaged or encrypted
 */
export async function readPdf(bytes: Uint8Array): Promise<ReadablePage> {
  const document = await open(bytes);
  if (document.numPages > PDF_MAX_PAGES) {
    throw new UnreadablePage(`it has more than ${PDF_MAX_PAGES} pages`);
  }
  const sections: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const text = await textOf(document, number);
    if (text !== '') sections.push(`## Page ${number}\n\n${text}`);
  }
  if (sections.length === 0) throw new UnreadablePage('it has no text; it may be a scan');
  return { title: await titleOf(document), markdown: sections.join('\n\n') };
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    return await getDocumentProxy(bytes, { isEvalSupported: false, verbosity: 0 });
  } catch (cause) {
    throw new UnreadablePage('it is a damaged or encrypted PDF', { cause });
  }
}

async function textOf(document: Pdf, number: number): Promise<string> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  const parts = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''));
  return parts
    .join('')
    .replace(/^(#{1,6}\s)/gm, '\\$1')
    .trim();
}

async function titleOf(document: Pdf): Promise<string> {
  const { info } = await document.getMetadata();
  const title = isRecord(info) ? info['Title'] : undefined;
  return typeof title === 'string' ? title : '';
}

const PDF_MAX_PAGES = 1000;
