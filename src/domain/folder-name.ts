/** Whether a name is that of one folder: no path, not `.` or `..`, at most 255 characters. */
export function isFolderName(name: unknown): name is string {
  return (
    typeof name === 'string' &&
    /^[^/\\\0]{1,255}$/.test(name) &&
    name !== '.' &&
    name !== '..'
  );
}
