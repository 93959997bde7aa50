import type { InstalledModel, ModelList } from '../command-line-parts.js';
import { table } from './layout.js';
import { sized } from './numbers.js';
import { printableLine } from './printable.js';
import type { Styles } from './styles.js';

/** The embedding models of this machine. */
export function modelsText(
  { directory, models }: ModelList,
  { styles, columns }: { readonly styles: Styles; readonly columns: number },
): string {
  const rows = models.map((model) => [
    printableLine(model.name),
    sized(model.bytes),
    stateOf(model),
  ]);
  const list = table([{ title: 'model' }, { title: 'size', align: 'right' }, { title: '' }], rows, {
    width: columns,
    title: styles.dim,
  });
  return `${list}\n\nfolder  ${printableLine(directory)}`;
}

function stateOf({ configured, complete }: InstalledModel): string {
  if (configured) return complete ? 'in use' : 'not installed; "knowledge-store models pull"';
  return complete ? '' : 'incomplete';
}
