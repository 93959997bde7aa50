import { useEffect, useRef } from 'preact/hooks';
import { goTo, type Visit } from '../shared/place.js';
import { releaseUnsaved } from '../shared/unsaved.js';

/** Asks before unsaved text is lost. */
export function LeaveQuestion({ visit: { refused, stay } }: { readonly visit: Visit }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (refused === undefined) dialog.current?.close();
    else if (dialog.current?.open === false) dialog.current.showModal();
  }, [refused]);
  const leave = () => {
    stay();
    releaseUnsaved();
    if (refused !== undefined) goTo(refused);
  };
  return (
    <dialog ref={dialog} aria-label="Unsaved text" onCancel={stay}>
      <p>You have unsaved changes.</p>
      <p class="row">
        <button type="button" class="strong" onClick={stay}>
          Keep editing
        </button>
        <button type="button" onClick={leave}>
          Discard and leave
        </button>
      </p>
    </dialog>
  );
}
