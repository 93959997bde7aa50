import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../domain/records.js';
import { propertyIndex, withChild, withoutChild, withValue } from './json-edit.js';
import { type Entries, parseJson, splitMark } from './settings-file.js';

/**
 * An edit of entries in one object of a JSON file. The rest of the file stays as it is, character by character.
 * @param changesIn returns the new entries; undefined removes an entry. An object that becomes empty is removed as well
 *   if this program added it.
 */
export function editJson(section: string, changesIn: (entries: Entries) => Entries): JsonEdit {
  return (text, ownsSection = true) => {
    const { mark, json } = splitMark(text);
    const { [section]: entries } = parseJson(json);
    if (entries !== undefined && !isRecord(entries)) {
      throw new Error(`its key ${section} is not an object`);
    }
    const changes = Object.entries(changesIn(entries ?? {})).filter(
      ([name, value]) => !isDeepStrictEqual(entries?.[name], value),
    );
    if (changes.length === 0) return undefined;
    if (entries === undefined) {
      return mark + withChild(json, [], { name: section, value: Object.fromEntries(changes) });
    }
    const edited = changes.reduce((made, [name, value]) => {
      return withEntry(made, [section, name], { before: entries[name], value });
    }, json);
    const { [section]: left = {} } = parseJson(edited);
    const isEmpty = isRecord(left) && Object.keys(left).length === 0;
    return mark + (isEmpty && ownsSection ? withoutProperty(edited, [], section) : edited);
  };
}

/** @param ownsSection whether this program added the object; default true */
type JsonEdit = (text: string, ownsSection?: boolean) => string | undefined;

function withEntry(
  json: string,
  path: readonly [section: string, name: string],
  { before, value }: { readonly before: unknown; readonly value: unknown },
): string {
  const [section, name] = path;
  if (value === undefined) return withoutProperty(json, [section], name);
  if (before === undefined) return withChild(json, [section], { name, value });
  if (!Array.isArray(before) || !Array.isArray(value)) return withValue(json, path, value);
  const includes = (list: readonly unknown[], one: unknown) =>
    list.some((other) => isDeepStrictEqual(one, other));
  const gone = before.flatMap((one, place) => (includes(value, one) ? [] : [place]));
  const left = gone.reduceRight((made, place) => withoutChild(made, path, place), json);
  const added = value.filter((one) => !includes(before, one));
  return added.reduce<string>((made, one) => withChild(made, path, { value: one }), left);
}

function withoutProperty(json: string, path: readonly string[], name: string): string {
  return withoutChild(json, path, propertyIndex(json, path, name));
}
