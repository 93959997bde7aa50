/** Facts that travel with a message; never content of a project, a query or a secret. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The service's log. Messages are sentences for the operator. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
