import { anchorOf, fieldsTable } from './fields-table.js';
import { type Html, html } from './html.js';
import type { JsonSchema, OpenApiDocument, Tag } from './open-api-document.js';
import { type NamedOperation, operationSection, operationsOf } from './operation-section.js';

/** The document as a page for people. It needs nothing but the style that is given, and runs no script. */
export function docsPage(document: OpenApiDocument, style: string): string {
  const { info, tags, components } = document;
  const operations = operationsOf(document);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} API</title>
<style>${{ markup: style }}</style>
</head>
<body>
<header>
<h1>${info.title} API</h1>
<p>${info.summary}</p>
<p>Version ${info.version}. For programs: <a href="openapi.json">openapi.json</a> (OpenAPI ${document.openapi}).</p>
</header>
<nav aria-label="Contents">${tags.map((tag) => contentsOf(tag, operations))}
<h2><a href="#schemas">Schemas</a></h2></nav>
<main>
<p>${info.description}</p>
${tokenNote(document)}
${tags.map((tag) => chapterOf(tag, operations))}
<h2 id="schemas">Schemas</h2>
${Object.entries(components.schemas).map(schemaSection)}
</main>
</body>
</html>
`;
  return page.markup;
}

function contentsOf(tag: Tag, operations: readonly NamedOperation[]): Html {
  return html`<h2><a href="#${tag.name}">${tag.name}</a></h2>
<ul>${withTag(tag, operations).map(contentsEntry)}</ul>
`;
}

function contentsEntry({ operationId, method, path }: NamedOperation): Html {
  return html`<li><a href="#${operationId}"><span class="method">${method}</span> ${path}</a></li>
`;
}

function chapterOf(tag: Tag, operations: readonly NamedOperation[]): Html {
  return html`<h2 id="${tag.name}">${tag.name}</h2>
<p>${tag.description}</p>
${withTag(tag, operations).map(operationSection)}`;
}

function withTag({ name }: Tag, operations: readonly NamedOperation[]): readonly NamedOperation[] {
  return operations.filter(({ tags }) => tags.includes(name));
}

function tokenNote({ security }: OpenApiDocument): Html {
  return security.length === 0
    ? html`<p>Requests need no token. <code>$URL</code> is the address of this service.</p>`
    : html`<p>Requests need the header <code>Authorization: Bearer</code> with the token of this service. <code>$URL</code> is its address.</p>`;
}

function schemaSection([name, schema]: readonly [string, JsonSchema]): Html {
  return html`<section id="${anchorOf(name)}">
<h3>${name}</h3>
<p>${schema.description ?? ''}</p>
${fieldsTable(schema)}
</section>
`;
}
