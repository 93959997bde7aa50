import { inMemoryHarness } from '../fakes/in-memory-harness.js';
import { describeProjectStores } from './project-stores.contract.js';

describeProjectStores('in memory', inMemoryHarness);
