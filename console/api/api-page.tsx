import { useEffect } from 'preact/hooks';
import { TokenGate } from '../app/token-form.js';
import { loadDocument } from '../shared/api.js';
import { useLoad } from '../shared/load.js';
import { Failure, Preformatted } from '../shared/parts.js';
import { hrefOf } from '../shared/place.js';
import { Contents } from './contents.js';
import { type Api, type NamedOperation, operationsOf } from './document.js';
import { exampleCurl } from './example.js';
import { Code, Fields } from './fields.js';

/** Describes the API. It renders the OpenAPI document that the service offers to programs. */
export function ApiPage({ at }: { readonly at: string | undefined }) {
  const { data, error, again } = useLoad({ key: 'openapi.json', load: loadDocument });
  useEffect(() => document.getElementById(at ?? '')?.scrollIntoView(), [at, data]);
  return (
    <TokenGate error={error} onToken={again}>
      {data === undefined ? <Failure error={error} /> : <Description api={data} />}
    </TokenGate>
  );
}

function Description({ api }: { readonly api: Api }) {
  const { info, tags, components, security } = api;
  return (
    <div class="api">
      <header>
        <h1>{info.title} API</h1>
        <p>{info.summary}</p>
        <p class="muted">
          Version {info.version}. For programs: <a href="openapi.json">openapi.json</a>.{' '}
          {info.description}
        </p>
        <p class="muted">
          {security.length === 0
            ? 'Requests need no token.'
            : 'Requests need the header "Authorization: Bearer <token>".'}{' '}
          <code>$URL</code> is the address of this service.
        </p>
      </header>
      <Contents api={api} />
      <div class="stack">
        {tags.map(({ name, description }) => (
          <section key={name} id={name} class="stack">
            <h2>{name}</h2>
            <p>{description}</p>
            {operationsOf(api, name).map((operation) => (
              <Operation key={operation.operationId} operation={operation} />
            ))}
          </section>
        ))}
        <h2>Schemas</h2>
        {Object.entries(components.schemas).map(([name, schema]) => (
          <section key={name} id={name} class="panel">
            <h3>{name}</h3>
            <p>{schema.description}</p>
            <Fields schema={schema} />
          </section>
        ))}
      </div>
    </div>
  );
}

function Operation({ operation }: { readonly operation: NamedOperation }) {
  const { operationId, method, path, summary, request, responses } = operation;
  const { 200: success, 201: created, ...errors } = responses;
  return (
    <section id={operationId} class="panel" aria-labelledby={`${operationId}-title`}>
      <h3 id={`${operationId}-title`}>
        <a href={hrefOf({ page: 'api', fields: { at: operationId } })}>
          {method} {path}
        </a>
      </h3>
      <p>{summary}</p>
      <h4>Request</h4>
      <Fields schema={request} />
      <Preformatted text={exampleCurl(operation)} />
      <h4>Response</h4>
      <Fields schema={success?.content['application/json']?.schema} />
      {created && <h4>Response with status 201</h4>}
      {created && <Fields schema={created.content['application/json']?.schema} />}
      <details>
        <summary>Errors</summary>
        <dl class="fields">
          {Object.entries(errors).map(([status, { description }]) => (
            <div key={status}>
              <dt>{status}</dt>
              <dd>
                <Code text={description} />
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}
