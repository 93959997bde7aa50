import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { lineEnding } from './line-edit.js';

/** Path to a value in JSON text: property names, outermost first. */
type Path = readonly string[];

/**
 * Adds an entry at the end of an object, or of a list if `name` is undefined. All other text stays. An object or list
 * on one line stays on it; otherwise the entry gets its own lines, indented like the others.
 */
export function withChild(text: string, path: Path, { name, value }: Child): string {
  const parent = nodeAt(text, path);
  const children = parent.children ?? [];
  const key = name === undefined ? '' : `${JSON.stringify(name)}: `;
  const last = children.at(-1);
  const outer = indentAt(text, parent.offset);
  if (last === undefined) {
    const inner = `${outer}${indentStep(text)}`;
    const entry = `${key}${onLines(value, inner, text)}`;
    return insert(text, parent.offset + 1, `${inner}${entry}${outer}`);
  }
  const first = children[0]?.offset ?? 0;
  const isOnOneLine = !/[\r\n]/.test(text.slice(parent.offset, first));
  const inner = isOnOneLine ? ' ' : indentAt(text, first);
  const entry = isOnOneLine ? onOneLine(value) : onLines(value, inner, text);
  return insert(text, nodeEnd(last), `,${inner}${key}${entry}`);
}

interface Child {
  readonly name?: string;
  readonly value: unknown;
}

/** Removes an entry of an object or list with its comma: the inverse of `withChild`. */
export function withoutChild(text: string, path: Path, index: number): string {
  const parent = nodeAt(text, path);
  const children = parent.children ?? [];
  const [previous, child, next] = [children[index - 1], children[index], children[index + 1]];
  if (child === undefined) return text;
  if (previous !== undefined) return remove(text, nodeEnd(previous), nodeEnd(child));
  if (next !== undefined) return remove(text, child.offset, next.offset);
  const after = text.slice(nodeEnd(child));
  const outer = indentAt(text, parent.offset);
  const end = nodeEnd(child) + (after.startsWith(outer) ? outer.length : 0);
  return remove(text, parent.offset + 1, end);
}

/** The index of a property in an object; -1 if the object lacks it. */
export function propertyIndex(text: string, path: Path, name: string): number {
  const properties = nodeAt(text, path).children ?? [];
  return properties.findIndex(({ children: [key] = [] }) => key?.value === name);
}

/** Gives a property another value. */
export function withValue(text: string, path: Path, value: unknown): string {
  const node = nodeAt(text, path);
  const after = text.slice(nodeEnd(node));
  const indent = indentAt(text, node.parent?.offset ?? node.offset);
  return `${text.slice(0, node.offset)}${onLines(value, indent, text)}${after}`;
}

/** @throws Error if the path leads to nothing */
function nodeAt(text: string, path: Path): Node {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const node = root && findNodeAtLocation(root, [...path]);
  if (node === undefined) throw new Error('it is not JSON');
  return node;
}

function nodeEnd({ offset, length }: Node): number {
  return offset + length;
}

function insert(text: string, place: number, added: string): string {
  return text.slice(0, place) + added + text.slice(place);
}

function remove(text: string, from: number, to: number): string {
  return text.slice(0, from) + text.slice(to);
}

/** A line ending followed by the indentation of the line at this offset. */
function indentAt(text: string, place: number): string {
  const before = text.slice(0, place);
  const start = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
  return lineEnding(text) + (/^[ \t]*/.exec(before.slice(start))?.[0] ?? '');
}

/** The indentation of the first indented line. */
function indentStep(text: string): string {
  return /^[ \t]+(?=\S)/m.exec(text)?.[0] ?? '  ';
}

function onLines(value: unknown, indent: string, text: string): string {
  return JSON.stringify(value, undefined, indentStep(text)).replaceAll('\n', indent);
}

/** Formats a value on one line, with spaces as people write them. */
function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{ ${entries.map(([key, one]) => `${JSON.stringify(key)}: ${onOneLine(one)}`).join(', ')} }`;
}
