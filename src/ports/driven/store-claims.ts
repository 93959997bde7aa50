/** Makes every other process of this service close the store of a project before its files are moved or replaced. */
export interface StoreClaims {
  /**
   * Runs `act` while no other process of this service has the store open; those that need it meanwhile wait.
   * Settles as `act` does.
   */
  exclusively<T>(projectPath: string, act: () => Promise<T>): Promise<T>;
}
