import type { EmbeddableTexts } from './embeddable-texts.js';
import type { ProjectStore } from './project-stores.js';

/** The ports of a store by flat names, so that a call can be written down as plain data. */
export interface StorePorts extends Omit<ProjectStore, 'texts'> {
  readonly contentTexts: EmbeddableTexts;
  readonly questionTexts: EmbeddableTexts;
}

export type PortName = keyof StorePorts;

/** Whether a method changes chunks, vectors or counts; one that reads may still update a derived index. */
export type Effect = 'read' | 'write';

type Effects<Port> = { readonly [Method in keyof Port]-?: Effect };

/** Every method of every port of a store; the compiler finds one that is missing. */
export const STORE_METHODS: { readonly [Name in PortName]: Effects<StorePorts[Name]> } = {
  chunks: {
    replaceSource: 'write',
    indexedSources: 'read',
    getChunks: 'read',
    sources: 'read',
    stats: 'read',
  },
  keywords: { search: 'read', score: 'read', rebuild: 'write', suspend: 'write' },
  retrievals: { record: 'write', findUnusedSince: 'read', deleteUnusedSince: 'write' },
  questions: { pending: 'read', save: 'write' },
  vectors: vectorEffects(),
  questionVectors: vectorEffects(),
  contentTexts: textEffects(),
  questionTexts: textEffects(),
  leases: { acquire: 'write', release: 'write' },
  refill: { isSet: 'read', clear: 'write' },
  records: { page: 'read', add: 'write', addSources: 'write' },
  care: { examine: 'write', repair: 'write', repairIndexes: 'write' },
};

/** A call of a method of a store. */
export interface StoreCall {
  readonly port: PortName;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** Whether a call changes chunks, vectors or counts. */
export function isWrite({ port, method }: StoreCall): boolean {
  const effects: Readonly<Record<string, Effect>> = STORE_METHODS[port];
  return effects[method] === 'write';
}

export type ForwardCall = (call: StoreCall) => Promise<unknown>;

/** A store that passes every call to `forward`. */
export function forwardingStore(forward: ForwardCall): ProjectStore {
  const portOf = <Name extends PortName>(port: Name): StorePorts[Name] => {
    const methods = Object.keys(STORE_METHODS[port]).map((method) => [
      method,
      (...args: readonly unknown[]) => forward({ port, method, args }),
    ]);
    return Object.fromEntries(methods) as StorePorts[Name];
  };
  return {
    chunks: portOf('chunks'),
    keywords: portOf('keywords'),
    retrievals: portOf('retrievals'),
    questions: portOf('questions'),
    vectors: portOf('vectors'),
    questionVectors: portOf('questionVectors'),
    texts: { content: portOf('contentTexts'), questions: portOf('questionTexts') },
    leases: portOf('leases'),
    refill: portOf('refill'),
    records: portOf('records'),
    care: portOf('care'),
  };
}

/** Makes a call of `forwardingStore`; names are not checked. */
export function callStore(
  store: ProjectStore,
  { port, method, args }: StoreCall,
): Promise<unknown> {
  const target = portOf(store, port) as unknown as Readonly<
    Record<string, (...args: readonly unknown[]) => Promise<unknown>>
  >;
  return target[method]?.(...args) as Promise<unknown>;
}

function portOf(store: ProjectStore, port: PortName): StorePorts[PortName] {
  if (port === 'contentTexts') return store.texts.content;
  return port === 'questionTexts' ? store.texts.questions : store[port];
}

function vectorEffects() {
  return {
    put: 'write',
    vectorOf: 'read',
    similarities: 'read',
    nearest: 'read',
    cosineStatistics: 'read',
    pending: 'read',
    status: 'read',
    comparisonProblem: 'read',
  } as const;
}

function textEffects() {
  return { of: 'read', newest: 'read', matching: 'read', countChunks: 'read' } as const;
}
