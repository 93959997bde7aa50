import { hrefOf } from '../shared/place.js';
import { type Api, operationsOf } from './document.js';

/** Links to every operation and every schema. */
export function Contents({ api }: { readonly api: Api }) {
  return (
    <nav aria-label="Contents">
      {api.tags.map(({ name }) => (
        <section key={name}>
          <h2>{name}</h2>
          <Links
            names={operationsOf(api, name).map(({ operationId, method, path }) => [
              operationId,
              `${method} ${path}`,
            ])}
          />
        </section>
      ))}
      <h2>Schemas</h2>
      <Links names={Object.keys(api.components.schemas).map((name) => [name, name])} />
    </nav>
  );
}

function Links({ names }: { readonly names: readonly (readonly [id: string, text: string])[] }) {
  return (
    <ul class="plain">
      {names.map(([id, text]) => (
        <li key={id}>
          <a href={hrefOf({ page: 'api', fields: { at: id } })}>{text}</a>
        </li>
      ))}
    </ul>
  );
}
