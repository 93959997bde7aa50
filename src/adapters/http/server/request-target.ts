/** What a request line asks for. */
export interface RequestTarget {
  /** Host and port of an absolute-form target (`GET http://host/path`); absent in the usual form. */
  readonly authority?: string;
  readonly path: string;
  /** Without its `?`, as it was sent; empty when there is none. */
  readonly query: string;
}

/** Splits a target by hand, since URL parsers take `//x` for a host and mend what is wrong. */
export function requestTarget(url: string): RequestTarget {
  const absolute = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)([^#]*)/i.exec(url);
  if (absolute === null) return pathAndQuery(url.replace(/#.*$/s, ''));
  const [, authority = '', rest = ''] = absolute;
  return { authority, ...pathAndQuery(rest) };
}

function pathAndQuery(target: string): RequestTarget {
  const mark = target.indexOf('?');
  if (mark === -1) return { path: target || '/', query: '' };
  return { path: target.slice(0, mark) || '/', query: target.slice(mark + 1) };
}
