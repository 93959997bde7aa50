import { change } from './place.js';

interface ChoiceProps {
  readonly label: string;
  /** The address field that keeps the choice. */
  readonly name: string;
  readonly value: string;
  /** An address field to clear when the choice changes, such as the page of a list. */
  readonly resets?: string;
  readonly options: readonly (readonly [value: string, text: string])[];
}

/** A selection of one value, kept in the address. */
export function Choice({ label, name, value, options, resets }: ChoiceProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select
        value={value}
        onChange={({ currentTarget }) =>
          change({ [name]: currentTarget.value, ...(resets && { [resets]: '' }) })
        }
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
