/** The clock of most tests; the contract suites, which ship, use it too. */
export * from '../../src/testing/harness/fixed-clock.js';
