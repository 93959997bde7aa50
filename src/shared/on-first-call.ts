/**
 * An object with these methods, whose module is loaded by the first call of one of them, because most processes never make
 * one. A method that the loaded object leaves out does nothing.
 */
export function onFirstCall<T extends object, Name extends AsyncMethod<T>>(
  names: readonly Name[],
  load: () => Promise<T>,
): Pick<T, Name> {
  let loaded: Promise<T> | undefined;
  const methods = names.map((name) => {
    const call = async (...given: readonly unknown[]) => {
      loaded ??= load();
      const target = (await loaded) as Partial<Record<Name, Method>>;
      return target[name]?.(...given);
    };
    return [name, call] as const;
  });
  return Object.fromEntries(methods) as unknown as Pick<T, Name>;
}

type AsyncMethod<T> = {
  [Name in keyof T & string]: NonNullable<T[Name]> extends (...given: never) => Promise<unknown>
    ? Name
    : never;
}[keyof T & string];

type Method = (...given: readonly unknown[]) => Promise<unknown>;
