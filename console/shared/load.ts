import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/** The state of a request. */
export interface Loaded<T> {
  /** The last response. It stays until the next one arrives. */
  readonly data?: T | undefined;
  readonly error?: Error | undefined;
  readonly isLoading: boolean;
  readonly milliseconds?: number | undefined;
  /** Sends the request again. */
  readonly again: () => void;
}

type Outcome<T> = Omit<Loaded<T>, 'again'>;

interface LoadOptions<T> {
  /** The request is sent again when the key changes, and not at all while it is undefined. */
  readonly key: string | undefined;
  readonly load: (signal: AbortSignal) => Promise<T>;
  /** Debounce time: how long the key must stay the same. */
  readonly delayMs?: number;
  /** Whether to send the request again a moment after this response. */
  readonly repeatAfter?: (data: T) => boolean;
}

/** Sends a request. Aborts it when the key changes. */
export function useLoad<T>({ key, load, delayMs = 0, repeatAfter }: LoadOptions<T>): Loaded<T> {
  const [state, setState] = useState<Outcome<T>>({ isLoading: key !== undefined });
  const [turn, setTurn] = useState(0);
  const again = useCallback(() => setTurn((last) => last + 1), []);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    if (key === undefined) return setState({ isLoading: false });
    const leaving = new AbortController();
    setState((last) => ({ ...last, isLoading: true }));
    const timer = setTimeout(async () => {
      const next = await outcomeOf(latest.current, leaving.signal);
      if (!leaving.signal.aborted) setState((last) => ({ data: last.data, ...next }));
    }, delayMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [key, delayMs, turn]);
  const { data, isLoading } = state;
  const isRepeated = key !== undefined && data !== undefined && !isLoading && repeatAfter?.(data);
  useEffect(() => {
    const timer = isRepeated ? setTimeout(again, REPEAT_MS) : undefined;
    return () => clearTimeout(timer);
  }, [isRepeated, again]);
  return { ...state, again };
}

const REPEAT_MS = 1500;

async function outcomeOf<T>(
  load: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<Outcome<T>> {
  const start = performance.now();
  try {
    const data = await load(signal);
    return { data, error: undefined, isLoading: false, milliseconds: performance.now() - start };
  } catch (error) {
    return {
      data: undefined,
      error: error instanceof Error ? error : new Error(String(error)),
      isLoading: false,
    };
  }
}
