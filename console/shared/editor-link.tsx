interface EditorLinkProps {
  readonly project: string;
  readonly file: string;
  readonly line?: number | undefined;
}

/** A place in a file, which opens in VS Code. */
export function EditorLink({ project, file, line }: EditorLinkProps) {
  const place = line === undefined ? file : `${file}:${line}`;
  const href = `vscode://file/${encodeURI(`${project}/${place}`).replace(/^\/+/, '')}`;
  return (
    <a class="path" href={href} title="Open in VS Code">
      <bdi>{place}</bdi>
    </a>
  );
}
