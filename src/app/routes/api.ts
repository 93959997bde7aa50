import type { Defined } from '../../schemas/checks.js';
import type { hybridRoutes } from './hybrid-api.js';

type Operation = NonNullable<(typeof hybridRoutes)[number]['types']>;

/** A route of the hybrid variant, such as `POST /api/knowledge/search`. */
export type ApiRoute = Operation['name'];

/** The parsed body of a route's response with status 200 or 201. */
export type ApiBody<Name extends ApiRoute> = Defined<
  Extract<Operation, { readonly name: Name }>['response']
>;
