import type { HttpErrorCode } from '../server/http-error.js';

/** When each code is sent; `docs/api.md`, "Errors", says what to do about it. */
export const ERROR_MEANINGS: Readonly<Record<HttpErrorCode, string>> = {
  invalid_request:
    'The body is not a JSON object, the query string is not percent-encoded UTF-8, or a field is missing, of the wrong type or out of range.',
  unauthorized: 'The service has a token, and the request has none or a different one.',
  path_not_allowed:
    'projectPath is outside every directory that the service may open, or a link is in the way of a file that would be written or deleted.',
  host_not_allowed: 'The Host header does not name this service.',
  origin_not_allowed: 'A web page of another origin sent the request.',
  not_found: 'There is no such route, feature, note, source or chunk.',
  project_not_found: 'projectPath does not exist or is a file.',
  category_not_found: 'There is no such memory category.',
  method_not_allowed: 'The path has another method.',
  conflict: 'There is already a note with this id.',
  schema_too_new: 'The database was written by a newer version of this service.',
  too_large: 'The body is larger than 1 MiB.',
  unsupported_media_type:
    'The body is not declared as JSON in UTF-8, or its compression is not supported.',
  internal: 'A bug; the log of the service has the details.',
  store_unavailable:
    'The database is locked, read-only, damaged or foreign, or the service is stopping.',
  model_unavailable: 'No small language model is configured, or it cannot be reached.',
  overloaded: 'Too many requests are in progress.',
  fetch_not_allowed: 'Fetching pages is off, or the address is not public.',
  fetch_failed: 'The page cannot be fetched: its server cannot be reached or refused it.',
  not_readable: 'The page has no text that can be kept, or is too large.',
  storage_full: 'The disk is full; nothing was written.',
};
