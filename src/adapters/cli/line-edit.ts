import type { SettingsFile } from './settings-file.js';

/**
 * An edit of a text file that appends a line unless it is there, or removes it; every other byte stays. If the last
 * line has no line ending, the added line has none either, so that removing it restores the file.
 */
export function editLine(line: string): Pick<SettingsFile, 'add' | 'remove'> {
  const hasLine = (text: string) => text.split(/\r?\n/).includes(line);
  return {
    add: (text) => {
      if (hasLine(text)) return undefined;
      const end = lineEnding(text);
      return text === '' || text.endsWith('\n') ? `${text}${line}${end}` : `${text}${end}${line}`;
    },
    remove: (text) => {
      if (!hasLine(text)) return undefined;
      const [before = '', after = ''] = text.split(line);
      return after === '' ? before.replace(/\r?\n$/, '') : before + after.replace(/^\r?\n/, '');
    },
  };
}

/** CRLF if the text contains it, or else LF. */
export function lineEnding(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
