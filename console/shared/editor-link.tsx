interface EditorLinkProps {
  readonly project: string;
  readonly file: string;
  readonly line?: number | undefined;
}

/**
 * Links to a line of a file, to open in VS Code. A path that leaves the project, which a foreign database may contain,
 * is shown as text.
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
