import { useEffect } from 'preact/hooks';

/** The keys of the console, as the help lists them. */
export const KEYS = [
  ['/', 'Go to the first field of the page'],
  ['↓ ↑', 'Next or previous entry of a list'],
  ['Enter', 'Open the entry'],
  ['g then s p n e l u a', 'Search lab, Project, Notes, Sessions, Lessons, Upkeep, API'],
  ['t', 'Theme: light, dark or automatic'],
  ['?', 'This help'],
] as const;

interface KeyActions {
  readonly goToPage: (initial: string) => void;
  readonly toggleTheme: () => void;
  readonly showHelp: () => void;
}

/** Listens for the keys above, except while someone is typing. */
export function useKeys(actions: KeyActions): void {
  useEffect(() => {
    let isGoing = false;
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') return moveInList(event);
      if (isTyping(event.target) && !isGoingThere(event)) return;
      if (isGoing) actions.goToPage(event.key);
      isGoing = event.key === 'g';
      const action = ACTIONS[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action(actions);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [actions]);
}

const ACTIONS: Readonly<Record<string, (actions: KeyActions) => void>> = {
  '/': () => document.querySelector<HTMLElement>('[data-first-field]')?.focus(),
  '?': ({ showHelp }) => showHelp(),
  t: ({ toggleTheme }) => toggleTheme(),
};

/** Whether `/` was pressed in an empty field, where it still means to go to the first field. */
function isGoingThere({ key, target }: KeyboardEvent): boolean {
  return key === '/' && target instanceof HTMLInputElement && target.value === '';
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select');
}

/** Moves from the first field to the entries of a list, or between entries. Entries are marked with `data-entry`. */
function moveInList(event: KeyboardEvent): void {
  const active = document.activeElement;
  const entries = [...document.querySelectorAll<HTMLElement>('[data-entry]')];
  const index = entries.indexOf(active as HTMLElement);
  const isFirstField = active instanceof HTMLElement && active.matches('[data-first-field]');
  if (active?.tagName === 'TEXTAREA' || (index < 0 && !isFirstField && isTyping(active))) return;
  const next = index + (event.key === 'ArrowDown' ? 1 : -1);
  const target =
    next < 0 ? document.querySelector<HTMLElement>('[data-first-field]') : entries[next];
  if (target === undefined || target === null) return;
  event.preventDefault();
  target.focus();
}
