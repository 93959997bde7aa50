/** Structured data of a log message; never project content, query text or secrets. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The log of the service. Messages are sentences for the operator. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
