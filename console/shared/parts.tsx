import type { ComponentChildren } from 'preact';
import { hrefOf } from './place.js';
import { typeName } from './text.js';

/** Small components that several pages share. They render project data as text. */

export function Type({ type }: { readonly type: string }) {
  return (
    <span class="type" data-type={type}>
      {typeName(type)}
    </span>
  );
}

interface ChunkLinkProps {
  readonly project: string;
  readonly id: string;
  readonly children: ComponentChildren;
}

/** Links to the page of a chunk. */
export function ChunkLink({ project, id, children }: ChunkLinkProps) {
  return (
    <a href={hrefOf({ page: 'chunk', fields: { project, id } })} data-entry>
      <bdi>{children}</bdi>
    </a>
  );
}

export function Failure({ error }: { readonly error: Error | undefined }) {
  if (error === undefined) return null;
  return (
    <p class="notice bad" role="alert">
      {error.message}
    </p>
  );
}

export function Preformatted({ text }: { readonly text: string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas must be reachable by keyboard
  return <pre tabIndex={0}>{text}</pre>;
}

interface BarProps {
  /** 0 to 1. */
  readonly share: number;
  readonly kind: string;
}

/** A bar beside a figure. Screen readers skip it, because the figure says the same. */
export function Bar({ share, kind }: BarProps) {
  const width = Math.max(0, Math.min(1, share)) * 100;
  return (
    <svg
      class="bar"
      data-kind={kind}
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect class="track" width="100" height="6" />
      <rect class="fill" width={width} height="6" />
    </svg>
  );
}
