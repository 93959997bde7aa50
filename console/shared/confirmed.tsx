import { useRef } from 'preact/hooks';

interface ConfirmedProps {
  readonly action: string;
  /** What confirming will do, as a sentence. */
  readonly consequence: string;
  readonly disabled?: boolean;
  readonly onConfirm: () => void;
}

/** A button whose action must be confirmed in a dialog. */
export function Confirmed({ action, consequence, disabled = false, onConfirm }: ConfirmedProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const confirm = () => {
    dialog.current?.close();
    onConfirm();
  };
  return (
    <>
      <button type="button" disabled={disabled} onClick={() => dialog.current?.showModal()}>
        {action} …
      </button>
      <dialog ref={dialog} aria-label={action}>
        <p>{consequence}</p>
        <p class="row">
          <button type="button" class="strong" onClick={confirm}>
            {action}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </p>
      </dialog>
    </>
  );
}
