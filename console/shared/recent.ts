/** The most recently viewed projects, newest first, kept in the browser. */
const KEY = 'knowledge-store.projects';
const MOST = 8;

export function recentProjects(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((path) => typeof path === 'string') : [];
  } catch {
    return [];
  }
}

export function rememberProject(path: string): void {
  const others = recentProjects().filter((other) => other !== path);
  localStorage.setItem(KEY, JSON.stringify([path, ...others].slice(0, MOST)));
}
