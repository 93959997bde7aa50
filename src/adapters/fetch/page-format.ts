import { isUtf8 } from 'node:buffer';

export type PageFormat = 'html' | 'text';

/** The parts of a `Content-Type` header that matter here. */
interface ContentType {
  /** Undefined for content that cannot be converted to text. */
  readonly format: PageFormat | undefined;
  /** In lower case; undefined if not declared. */
  readonly charset: string | undefined;
}

/** Parses a `Content-Type` header. Without one, the first bytes decide the format, as in a browser. */
export function detectContentType(header: string | undefined, bytes: Buffer): ContentType {
  const [type = '', ...parameters] = (header ?? '').toLowerCase().split(';');
  const charset = parameters.map((text) => CHARSET.exec(text)?.[1]).find((name) => name);
  const format = header === undefined ? detectFormat(bytes) : FORMATS.get(type.trim());
  return { format, charset };
}

const CHARSET = /^\s*charset\s*=\s*"?([^"\s]+)/;

const FORMATS: ReadonlyMap<string, PageFormat> = new Map([
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['text/plain', 'text'],
  ['text/markdown', 'text'],
  ['text/x-markdown', 'text'],
]);

function detectFormat(bytes: Buffer): PageFormat | undefined {
  const start = bytes.toString('latin1', 0, 512).trimStart();
  return /^<(?:!doctype html|html|head|body|!--)/i.test(start) ? 'html' : undefined;
}

/**
 * Decodes the text of a page. The encoding is the one of the byte-order mark, else the one that the server declares,
 * else the one that the page declares, else UTF-8 if the bytes are valid, else windows-1252. Invalid bytes become
 * replacement characters.
 */
export function decodePage(bytes: Uint8Array, declared: string | undefined): string {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const label =
    encodingByMark(start) ??
    knownEncoding(declared) ??
    knownEncoding(ownDeclaration(start)) ??
    (isUtf8(bytes) ? 'utf-8' : 'windows-1252');
  return new TextDecoder(label).decode(bytes);
}

function encodingByMark(bytes: Buffer): string | undefined {
  const start = bytes.toString('hex', 0, 3);
  if (start === 'efbbbf') return 'utf-8';
  if (start.startsWith('fffe')) return 'utf-16le';
  return start.startsWith('feff') ? 'utf-16be' : undefined;
}

/** The standard name of an encoding; undefined if `TextDecoder` does not know it. */
function knownEncoding(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** The encoding that a page declares in `<meta charset>`, `<meta http-equiv>` or an XML declaration. */
function ownDeclaration(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, DECLARATION_WITHIN_BYTES);
  const label = DECLARATION.exec(start)?.[1]?.toLowerCase();
  // The declaration was read as ASCII, so the page is not UTF-16, even if it says so.
  return label?.startsWith('utf-16') === true ? 'utf-8' : label;
}

const DECLARATION =
  /<(?:meta\s[^>]{0,200}?charset|\?xml\s[^>]{0,100}?encoding)\s{0,9}=\s{0,9}["']?\s{0,9}([\w:.-]{1,40})/i;
const DECLARATION_WITHIN_BYTES = 4096;
