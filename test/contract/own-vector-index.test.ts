/** The example runs as it would in another program: everything that it imports comes from the built package. */
await import(new URL('../../examples/own-vector-index.test.mjs', import.meta.url).href);
