/** Entry point of the local service. */
import { runLocalService } from './supervise.js';

await runLocalService();
