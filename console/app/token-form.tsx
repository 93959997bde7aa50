import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError } from '../shared/api.js';
import { storedToken, storeToken } from '../shared/token.js';

interface TokenGateProps {
  /** The error that the service returned. */
  readonly error: Error | undefined;
  readonly onToken: () => void;
  readonly children: ComponentChildren;
}

/** Asks for the token if the service requires one; otherwise shows its children. */
export function TokenGate({ error, onToken, children }: TokenGateProps) {
  const isRefused = error instanceof ApiError && error.status === 401;
  return isRefused ? <TokenForm onToken={onToken} /> : children;
}

/** Asks for the token of the service. If a token is stored, the service has just refused it. */
function TokenForm({ onToken }: { readonly onToken: () => void }) {
  const [token, setToken] = useState('');
  const keep = (event: Event) => {
    event.preventDefault();
    storeToken(token);
    onToken();
  };
  return (
    <form class="welcome" onSubmit={keep}>
      <h1>This service needs its token</h1>
      <p>It is kept for this tab only, and forgotten when you close it.</p>
      {storedToken() !== undefined && (
        <p class="notice bad" role="alert">
          The service does not accept this token.
        </p>
      )}
      <label>
        <span>Token</span>
        <input
          type="password"
          value={token}
          autocomplete="off"
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={token === ''}>
        Continue
      </button>
    </form>
  );
}
