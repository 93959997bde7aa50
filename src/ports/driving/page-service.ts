/** A web page that is to be kept. */
export interface PageToSave {
  /** http or https, without user name and password; the part after `#` does not count. */
  readonly url: string;
  /** Absent: those that the page has already, else none. */
  readonly tags?: readonly string[];
  /** 0 to 1. Absent: that which the page has already, else 0.5. */
  readonly importance?: number;
}

/** A page as it is kept now. */
export interface SavedPageReport {
  readonly sourceFile: string;
  readonly title: string;
  /** Number of its chunks in the index. */
  readonly chunks: number;
  /** Whether the page was not known before. */
  readonly isNew: boolean;
  /** Whether its title or its text is another one than before; true for a new page. */
  readonly changed: boolean;
}

/** Keeps pages of the public web as sources of a project (docs/specification.md, "Knowledge in"). */
export interface PageService {
  /**
   * Fetches a page and keeps its main text as `<appdir>/urls/<name>.md`. A page that is known is
   * fetched again if its server says that it has changed.
   * @throws KnowledgeError `invalid_request`, `fetch_not_allowed`, `fetch_failed`, `not_readable`,
   * `overloaded`; nothing is written then
   */
  savePage(projectPath: string, page: PageToSave): Promise<SavedPageReport>;
}
