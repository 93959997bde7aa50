/** An open connection. */
interface OpenConnection {
  readonly open: boolean;
}

/** Open connections of this process, each with the device and inode of its database and of the files beside it. */
const OPENED = new Map<OpenConnection, readonly (string | undefined)[]>();

export function rememberOpened(connection: OpenConnection, file: string | undefined): void {
  OPENED.set(connection, [...(OPENED.get(connection) ?? []), file]);
}

/** The database file of a connection, which is the first one remembered. */
export function openedFile(connection: OpenConnection): string | undefined {
  return OPENED.get(connection)?.[0];
}

/** Whether this process has a file open: reading and closing it again would release its locks. */
export function isOpenHere(file: string | undefined): boolean {
  for (const [connection, opened] of OPENED) {
    if (!connection.open) OPENED.delete(connection);
    else if (opened.includes(file)) return true;
  }
  return false;
}
