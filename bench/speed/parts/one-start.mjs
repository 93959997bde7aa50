// Starts the service once, as it is built, and prints how long that took as JSON. Plain JavaScript, since what
// compiles TypeScript at run time would be measured as well.
const [project, threads] = process.argv.slice(2);
const { HttpServer } = await import('../../../dist/adapters/http/server/http-server.js');
const { readConfig } = await import('../../../dist/app/config/read-config.js');
const { createService } = await import('../../../dist/app/wiring/container.js');
const loadedMs = performance.now();
const service = createService(
  readConfig({
    KNOWLEDGE_VARIANT: 'search-only',
    KNOWLEDGE_THREADS: threads,
    KNOWLEDGE_LOG_LEVEL: 'error',
  }),
);
const monitor = { served() {} };
const server = new HttpServer({
  ...service,
  host: '127.0.0.1',
  port: 0,
  variant: 'bench',
  monitor,
});
const url = await server.listen();
const listensMs = performance.now();
const response = await fetch(`${url}/api/knowledge/search`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ projectPath: project, query: 'command' }),
});
await response.text();
if (response.status !== 200) throw new Error(`The search was answered with ${response.status}.`);
const searchedMs = performance.now();
const rssMb = process.memoryUsage().rss / 2 ** 20;
process.stdout.write(JSON.stringify({ loadedMs, listensMs, searchedMs, rssMb }));
process.exit(0);
