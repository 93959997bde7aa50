import { DEFAULT_APP_DIR, savedFolder } from '../project-layout.js';

/** The notes of a user are in a folder `notes` directly in the directory that holds their store. */
export const USER_APP_DIR = '.';

const PREFIX = 'user:';
const FOLDER = savedFolder(USER_APP_DIR, 'manual');
const SHOWN_FOLDER = savedFolder(DEFAULT_APP_DIR, 'manual').slice(DEFAULT_APP_DIR.length + 1);

/** Whether a text names a note of the user, one of its chunks or its file. */
export function isUserId(id: string): boolean {
  return id.trim().startsWith(PREFIX);
}

/** A name of a note, its file or a chunk of it, as everybody outside the store of the user's notes sees it. */
export function toUserId(id: string): string {
  return PREFIX + (id.startsWith(`${FOLDER}/`) ? id.slice(USER_APP_DIR.length + 1) : id);
}

/** The name of a note of the user in its own store. */
export function withoutUser(id: string): string {
  const text = id.trim();
  return text.startsWith(PREFIX) ? text.slice(PREFIX.length) : id;
}

/** The file or the chunk of a note of the user in its own store. */
export function toUserSource(id: string): string {
  const name = withoutUser(id);
  if (name.startsWith(`${SHOWN_FOLDER}/`)) return `${USER_APP_DIR}/${name}`;
  const [, bare = name, ending = ''] = /^(.*?)(?:\.md)?([#:][\d-]+)?$/is.exec(name) ?? [];
  return `${FOLDER}/${bare}.md${ending}`;
}
