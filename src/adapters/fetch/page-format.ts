export const PAGE_FORMATS = ['html', 'text', 'pdf'] as const;
export type PageFormat = (typeof PAGE_FORMATS)[number];

/** The value of a `Content-Type` header, taken apart. */
export interface ContentType {
  /** Undefined if no text can be made of it. */
  readonly format: PageFormat | undefined;
  /** In lower case; undefined if it is not said. */
  readonly charset: string | undefined;
}

/** Reads a `Content-Type`. Where there is none, the first bytes decide, as they do in a browser. */
export function contentTypeOf(header: string | undefined, bytes: Buffer): ContentType {
  const [type = '', ...parameters] = (header ?? '').toLowerCase().split(';');
  const charset = parameters.map((text) => CHARSET.exec(text)?.[1]).find((name) => name);
  const format = header === undefined ? formatOf(bytes) : FORMATS.get(type.trim());
  return { format, charset };
}

const CHARSET = /^\s*charset\s*=\s*"?([^"\s]+)/;

const FORMATS: ReadonlyMap<string, PageFormat> = new Map([
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['text/plain', 'text'],
  ['text/markdown', 'text'],
  ['text/x-markdown', 'text'],
  ['application/pdf', 'pdf'],
]);

function formatOf(bytes: Buffer): PageFormat | undefined {
  const start = bytes.toString('latin1', 0, 512).trimStart();
  if (start.startsWith('%PDF-')) return 'pdf';
  return /^<(?:!doctype html|html|head|body|!--)/i.test(start) ? 'html' : undefined;
}
