import { DEFAULT_APP_DIR, savedFolder } from '../project-layout.js';

/** User notes are in the folder `notes` directly in the directory of their store. */
export const USER_APP_DIR = '.';

const PREFIX = 'user:';
const FOLDER = savedFolder(USER_APP_DIR, 'manual');
const SHOWN_FOLDER = savedFolder(DEFAULT_APP_DIR, 'manual').slice(DEFAULT_APP_DIR.length + 1);

/** Whether a text names a user note, its file or one of its chunks. */
export function isUserId(id: string): boolean {
  return id.trim().startsWith(PREFIX);
}

/** The id of a user note, its file or its chunk as seen outside the store of user notes. */
export function toUserId(id: string): string {
  return PREFIX + (id.startsWith(`${FOLDER}/`) ? id.slice(USER_APP_DIR.length + 1) : id);
}

/** The name of a user note in its own store. */
export function withoutUser(id: string): string {
  const text = id.trim();
  return text.startsWith(PREFIX) ? text.slice(PREFIX.length) : id;
}

/** The file or chunk of a user note in its own store. */
export function toUserSource(id: string): string {
  const name = withoutUser(id);
  if (name.startsWith(`${SHOWN_FOLDER}/`)) return `${USER_APP_DIR}/${name}`;
  return `${FOLDER}/${name.replace(/(?:\.md)?([#:][\d-]+)?$/i, '.md$1')}`;
}
