/** The numbers of the MCP server (docs/mcp.md, "Tools"). */

/** Budget of the text of a tool's result, if the call names none. */
export const DEFAULT_ANSWER_TOKENS = 4000;
/** Results of a search, if the call names no number: so that each has room for more than a preview. */
export const DEFAULT_ANSWER_RESULTS = 10;
/** A result with less text than this says too little to be shown. */
export const PREVIEW_MIN_TOKENS = 40;
/** The least that a result costs, with its id, file, heading and score. */
export const RESULT_MIN_TOKENS = 80;

/** Budget of the text of a source that is read as a resource. */
export const RESOURCE_MAX_TOKENS = 10_000;
/** Sources that one page of a list has. */
export const RESOURCE_PAGE = 200;

/** How long a client may take to list its roots. */
export const ROOTS_TIMEOUT_MS = 10_000;
/** How long requests in flight may take after the input has ended. */
export const DRAIN_MS = 3_000;
/** How often the server looks whether its parent process is still there. */
export const PARENT_CHECK_MS = 1_000;

/** How many clients may wait for changes over HTTP at the same time; each of them takes the place of a request. */
export const MAX_SUBSCRIPTIONS = 64;

/** How long a search waits for a model that is being loaded, and for the first indexing of a project. */
export const READINESS_WAIT_MS = 5_000;
export const READINESS_POLL_MS = 100;
