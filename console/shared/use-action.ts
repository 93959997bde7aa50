import { useState } from 'preact/hooks';

/** An action that a person starts, and that may take a while. */
interface Action<T> {
  readonly result?: T | undefined;
  readonly error?: Error | undefined;
  readonly isRunning: boolean;
  readonly run: () => Promise<void>;
  readonly forget: () => void;
}

const IDLE = { result: undefined, error: undefined, isRunning: false } as const;

export function useAction<T>(act: () => Promise<T>): Action<T> {
  const [state, setState] = useState<Omit<Action<T>, 'run' | 'forget'>>(IDLE);
  const run = async () => {
    setState({ isRunning: true });
    try {
      setState({ result: await act(), isRunning: false });
    } catch (error) {
      setState({ error: error instanceof Error ? error : undefined, isRunning: false });
    }
  };
  return { ...state, run, forget: () => setState(IDLE) };
}
