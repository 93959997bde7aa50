import { createHash } from 'node:crypto';
import type { StaticDocument } from '../server/static-document.js';
import { createDocument, type DocumentedService } from './create-document.js';
import { docsPage } from './docs-page.js';
import { DOCS_STYLE } from './docs-style.js';

/** `/openapi.json` for programs and `/docs` for people: what a running service describes itself with. */
export function documentsOf(service: DocumentedService): readonly StaticDocument[] {
  return [
    {
      path: '/openapi.json',
      type: 'json',
      headers: {},
      write: () => JSON.stringify(createDocument(service)),
    },
    {
      path: '/docs',
      type: 'html',
      headers: PAGE_HEADERS,
      write: () => docsPage(createDocument(service), DOCS_STYLE),
    },
  ];
}

const styleHash = createHash('sha256').update(DOCS_STYLE).digest('base64');

/** The page loads nothing, runs nothing and cannot be framed. */
const PAGE_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
};
