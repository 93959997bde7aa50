import { useLayoutEffect } from 'preact/hooks';
import { guardPlace, type Place } from './place.js';

/** Marks unsaved text as saved or abandoned. */
export function releaseUnsaved(): void {
  guardPlace(undefined);
}

/**
 * While there is unsaved text, asks before a place that does not keep it is shown, or the browser tab is closed. The
 * layout effect guards the text as soon as it is drawn; an ordinary effect runs up to 100 ms later.
 */
export function useUnsaved(isUnsaved: boolean, keeps: (place: Place) => boolean): void {
  useLayoutEffect(() => {
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
