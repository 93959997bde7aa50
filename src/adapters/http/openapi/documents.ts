import { createHash } from 'node:crypto';
import type { Page } from '../routes/register-routes.js';
import { createDocument, type DocumentedService } from './create-document.js';
import { docsPage } from './docs-page.js';
import { DOCS_STYLE } from './docs-style.js';
import { html } from './html.js';

/** The path of the page that says what the service is; it holds no data. */
export const START_PATH = '/';

/** What a running service describes itself with: `/openapi.json` for programs, `/docs` for people. */
export function documentsOf(service: DocumentedService): readonly Page[] {
  const document = once(() => createDocument(service));
  const docs = once(() => docsPage(document(), DOCS_STYLE));
  return [
    { path: '/openapi.json', type: 'json', read: once(() => JSON.stringify(document())) },
    { type: 'html', headers: PAGE_HEADERS, path: '/docs', read: docs },
  ];
}

/** What a person finds at the root of a service without a console. */
export function startPage(service: DocumentedService): Page {
  return {
    path: START_PATH,
    type: 'html',
    access: 'open',
    audience: 'browsers',
    headers: PAGE_HEADERS,
    read: () => startText(service),
  };
}

function startText({ variant, access }: DocumentedService): string {
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>knowledge-store</title>
<style>${{ markup: DOCS_STYLE }}</style>
</head>
<body>
<header>
<h1>knowledge-store</h1>
<p>This service searches the knowledge of a project (${variant} variant).</p>
</header>
<nav></nav>
<main>
<ul>
<li><a href="docs">The API</a>, with example requests</li>
<li><a href="openapi.json">openapi.json</a>, for programs</li>
<li><a href="health">Is it alive?</a> · <a href="ready">Is it ready?</a> · <a href="metrics">Metrics</a></li>
</ul>
${access === 'open' ? html`` : html`<p>Everything but <a href="health">health</a> needs the token of this service.</p>`}
</main>
</body>
</html>
`;
  return markup;
}

/** Called for the first request; later ones get the same. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
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
