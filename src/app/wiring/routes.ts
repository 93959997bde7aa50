import type { Variant } from '../config/config.js';
import type { Config } from '../config/fields.js';
import { hybridApi } from '../routes/hybrid-api.js';
import type { Route } from '../routes/route.js';
import { searchOnlyApi } from '../routes/search-only-api.js';
import type { Service } from '../service/service.js';

/** The HTTP interface of the configured variant. */
export function listRoutes({ variant }: Config, service: Service): readonly Route[] {
  return APIS[variant](service);
}

const APIS: Readonly<Record<Variant, (service: Service) => readonly Route[]>> = {
  hybrid: hybridApi,
  'search-only': searchOnlyApi,
};
