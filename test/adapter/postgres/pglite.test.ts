import { usePglite } from '../../support/use-pglite.js';
import { describeDatabase } from './database.cases.js';
import { describeService } from './service.cases.js';

/** Both in one file, because starting it takes seconds. */
const pglite = usePglite();

describeDatabase('PGlite', pglite);
describeService('PGlite', pglite);
