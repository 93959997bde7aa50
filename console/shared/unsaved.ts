import { useEffect } from 'preact/hooks';
import { guardPlace, type Place } from './place.js';

/** Gives up unsaved text, or says that it is saved. */
export function releaseUnsaved(): void {
  guardPlace(undefined);
}

/**
 * While there is unsaved text, asks before another place is shown than those that keep it, or the browser's tab is
 * closed.
 */
export function useUnsaved(isUnsaved: boolean, keeps: (place: Place) => boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    guardPlace(keeps);
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => {
      releaseUnsaved();
      removeEventListener('beforeunload', warn);
    };
  }, [isUnsaved]);
}
