import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  build: {
    rolldownOptions: { input: ['console/index.html', 'console/docs.html'] },
    outDir: '../dist/console',
    emptyOutDir: true,
    // No `data:` URLs, since the service's Content-Security-Policy only allows scripts and styles of its own.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The first versions with `light-dark()`.
    target: ['chrome123', 'firefox120', 'safari17.5'],
  },
  logLevel: 'warn',
});
