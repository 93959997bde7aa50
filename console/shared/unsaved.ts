import { useLayoutEffect } from 'preact/hooks';
import { guardPlace, type Place } from './place.js';

/** Stops guarding the text, because it was saved or abandoned. */
export function releaseUnsaved(): void {
  guardPlace(undefined);
}

/**
 * While there is unsaved text, asks before leaving it or closing the browser tab. A layout effect guards the text as
 * soon as it is drawn; an ordinary effect could run up to 100 ms later.
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
