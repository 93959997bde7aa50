interface EditorLinkProps {
  readonly project: string;
  readonly file: string;
  readonly line?: number | undefined;
}

/**
 * A place in a file, which opens in VS Code. A path that leads out of the project, as a foreign database may contain,
 * is not a link.
 */
export function EditorLink({ project, file, line }: EditorLinkProps) {
  const place = line === undefined ? file : `${file}:${line}`;
  if (file.split(/[\\/]/).includes('..')) return <bdi class="path">{place}</bdi>;
  const href = `vscode://file/${encodeURI(`${project}/${place}`).replace(/^\/+/, '')}`;
  return (
    <a class="path" href={href} title="Open in VS Code">
      <bdi>{place}</bdi>
    </a>
  );
}
