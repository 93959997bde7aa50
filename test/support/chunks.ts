/** Chunks for tests; the contract suites, which ship, use them too. */
export * from '../../src/testing/harness/chunks.js';
