import { useState } from 'preact/hooks';
import { storeToken } from '../shared/token.js';

interface TokenFormProps {
  readonly wasRefused: boolean;
  readonly onToken: () => void;
}

/** Asks for the token of the service. */
export function TokenForm({ wasRefused, onToken }: TokenFormProps) {
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
      {wasRefused && (
        <p class="notice bad" role="alert">
          The service does not know this token.
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
