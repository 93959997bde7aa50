/**
 * Says which folder of a project is its application directory, `<appdir>` elsewhere.
 *
 * `projectPath` is the absolute, canonical path of a directory, which need not exist any more. Neither method throws.
 */
export interface AppDirectories {
  /**
   * The name of the folder, which exists or is to be created. The same for as long as the folder is there and
   * nothing directly in the project comes or goes.
   */
  of(projectPath: string): string;
  /** Other folders of the project that look like application directories, by name; they are not used. */
  others(projectPath: string): readonly string[];
}
