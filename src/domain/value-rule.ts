/** What a value must be, wherever it comes from: a request, an argument, a setting, a variable. */
export interface Rule {
  readonly accepts: (value: unknown) => boolean;
  /** The second half of a sentence that begins with the name of the value. */
  readonly must: string;
}

export interface Range {
  readonly min: number;
  readonly max: number;
}

export function wholeNumber({ min, max }: Range): Rule & Range {
  return {
    min,
    max,
    accepts: (value) => Number.isInteger(value) && min <= Number(value) && Number(value) <= max,
    must: `must be a whole number from ${grouped(min)} to ${grouped(max)}`,
  };
}

export function oneOf<const Values extends readonly string[]>(
  values: Values,
): Rule & { readonly values: Values } {
  return {
    values,
    accepts: (value) => isText(value) && values.includes(value),
    must: `must be ${values.map((value) => `"${value}"`).join(' or ')}`,
  };
}

export const FLAG: Rule = {
  accepts: (value) => typeof value === 'boolean',
  must: 'must be true or false',
};

export const SHARE: Rule & Range = {
  ...{ min: 0, max: 1 },
  accepts: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  must: 'must be a number from 0 to 1',
};

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Also of lists with holes. */
export function isListOf(accepts: Rule['accepts']): Rule['accepts'] {
  return (value) => Array.isArray(value) && Array.from(value).every(accepts);
}

/** With commas from five digits on. Rules are made when a program starts, and loading a locale takes 30 ms. */
function grouped(value: number): string {
  const digits = String(value);
  return digits.length < 5 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, ',');
}
