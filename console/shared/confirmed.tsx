import { useRef } from 'preact/hooks';

interface ConfirmedProps {
  /** The label of the button. */
  readonly action: string;
  /** The consequence, as a sentence. */
  readonly consequence: string;
  readonly disabled?: boolean;
  readonly onConfirm: () => void;
}

/** A button that acts only once a second one confirms it. */
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
