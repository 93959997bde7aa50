/** Text that may stand in a page as it is. */
export interface Html {
  readonly markup: string;
}

type Part = string | Html | readonly Html[];

/** A tagged template that escapes every text put into it. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const markup = literals.map((literal, index) => literal + markupOf(parts[index] ?? '')).join('');
  return { markup };
}

/** Text in which words between backticks are code. */
export function withCode(text: string): readonly Html[] {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

/** A list with a separator between its elements. */
export function joined(items: readonly Html[], separator: string): readonly Html[] {
  return items.flatMap((item, index) => (index === 0 ? [item] : [html`${separator}`, item]));
}

function markupOf(part: Part): string {
  if (typeof part === 'string') return escaped(part);
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
