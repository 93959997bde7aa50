interface FencedBlocks {
  readonly outside: readonly string[];
  readonly blocks: readonly (readonly string[])[];
  readonly isClosed: boolean;
}

/** The fenced blocks of any text, as CommonMark reads them (sections 4.5 and 2.1). */
export function fencedBlocks(text: string): FencedBlocks {
  const outside: string[] = [];
  const blocks: string[][] = [];
  let fence = '';
  for (const line of text.split(/\r\n|[\n\r]/)) {
    const [, run = '', info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
    const opens = fence === '' && run !== '' && !(run.startsWith('`') && info.includes('`'));
    const closes = fence !== '' && run.startsWith(fence) && info.trim() === '';
    if (opens) blocks.push([]);
    else if (fence === '') outside.push(line);
    else if (!closes) blocks.at(-1)?.push(line);
    if (opens || closes) fence = opens ? run : '';
  }
  return { outside, blocks, isClosed: fence === '' };
}
