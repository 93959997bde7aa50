/**
 * Splits a database URL into one URL per host, in order: `postgres://user@a,b:5433/db` becomes `postgres://user@a/db`
 * and `postgres://user@b:5433/db`. Empty if one of them lacks a host or a database.
 */
export function serverUrls(url: string): readonly string[] {
  const { before = '', hosts = '', rest = '' } = PARTS.exec(url)?.groups ?? {};
  const urls = hosts.split(',').map((host) => `${before}${host}${rest}`);
  return urls.every(isComplete) ? urls : [];
}

/** User and password end at the last `@` before the path. */
const PARTS = /^(?<before>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#@]*)(?<rest>.*)$/is;

function isComplete(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, pathname } = new URL(url);
  return hostname !== '' && pathname.length > 1;
}
