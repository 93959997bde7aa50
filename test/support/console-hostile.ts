/** What a chunk says that means no good. */
export const HOSTILE_HEADING = 'zzhostile <img src=x onerror="window.hacked=1">';

/** A document whose every part tries to become code, or to break the page. */
export function hostileMarkdown(): string {
  return [
    `## ${HOSTILE_HEADING}`,
    'zzhostile <script>window.hacked = 1</script> <svg onload="window.hacked=1"></svg>',
    '[click](javascript:window.hacked=1) <a href="javascript:window.hacked=1">zzhostile</a>',
    '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe> <b onmouseover="window.hacked=1">b</b>',
    '\u202ezzhostile desrever\u202c \u2066isolated\u2069 \u200f right to left \u200b',
    '',
    `## zzhostile ${'W'.repeat(10_240)}`,
    'zzhostile: a heading of ten kilobytes without a space.',
    '',
    '## \u202ezzhostile reversed heading',
    `zzhostile ${'x'.repeat(2000)}`,
  ].join('\n');
}
