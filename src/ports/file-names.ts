/** The names of all files of a project, whatever they hold. */
export interface FileNames {
  /**
   * The paths of files and of links, relative to the project, with `/`; at most 100,000, in no particular order. Hidden folders,
   * `node_modules` and the application directory are left out, and with `ignore` also what git ignores, nested repositories and
   * build folders. No link to a folder is followed.
   */
  list(projectPath: string, rules: { readonly ignore: boolean }): Promise<readonly string[]>;
}
