/** Escapes text for HTML and SVG, between tags and in quoted attributes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A table whose first `names` columns are text and whose others are numbers; cells are text. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  names: number,
): string {
  const cells = (tag: 'th' | 'td', row: readonly string[]) =>
    row
      .map((cell, i) => `<${tag}${i < names ? ' class="name"' : ''}>${escaped(cell)}</${tag}>`)
      .join('');
  const body = rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('\n');
  return `<div class="scroll"><table><thead><tr>${cells('th', head)}</tr></thead><tbody>
${body}
</tbody></table></div>`;
}
