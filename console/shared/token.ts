/** The token of the service, kept for this browser tab only. */
const KEY = 'knowledge-store.token';

export function storedToken(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined;
}

export function storeToken(token: string): void {
  sessionStorage.setItem(KEY, token);
}
