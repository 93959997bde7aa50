import { join } from 'node:path';
import { CHECKOUT } from '../../../test/support/running-service.js';
import { TempProject } from '../../../test/support/temp-project.js';

const SQLITE = join(CHECKOUT, 'dist/adapters/sqlite/database/driver.js');

/** The negative control: a checkout whose service believes whatever is in a project. */
export function carelessCheckout(): TempProject {
  return new TempProject({
    'package.json': '{ "type": "module" }',
    'dist/main.js': `
    import { readdirSync, readFileSync } from 'node:fs';
    import { createServer } from 'node:http';
    import { join } from 'node:path';
    import { text } from 'node:stream/consumers';
    import { Database } from '${SQLITE}';

    const server = createServer(async (request, response) => {
      const [, project] = /"projectPath":"([^"]+)"/.exec(await text(request)) ?? [];
      response.end(project === undefined ? '{}' : answerOf(project));
    });
    server.listen(0, '127.0.0.1', () =>
      console.log('listening on http://127.0.0.1:' + server.address().port + ' (hybrid)'));

    function answerOf(project) {
      try {
        write(join(project, '.knowledge/knowledge.db'));
      } catch {
        // It is none.
      }
      return 'walrus' + textOf(project, 0);
    }

    function write(path) {
      const db = new Database(path);
      db.pragma('journal_mode = DELETE');
      db.exec("UPDATE chunks SET content = content; INSERT OR IGNORE INTO store_state VALUES ('a', 'b')");
      db.close();
    }

    function textOf(path, depth) {
      try {
        if (depth > 5 || path.includes('/dev/')) return '';
        return readdirSync(path).map((name) => textOf(join(path, name), depth + 1)).join('');
      } catch (error) {
        return error.code === 'ENOTDIR' && !path.includes('fifo') ? readFileSync(path, 'utf8') : '';
      }
    }`,
  });
}
