#!/usr/bin/env node

/**
 * better-sqlite3 12 downloads a prebuilt binary or, where it cannot, builds itself, for which node-gyp
 * downloads Node's headers. Most installations of Node bring these headers along; with them the npm
 * registry is all that an installation needs.
 */
const { existsSync } = require('node:fs');
const { dirname, join } = require('node:path');
const runQuietly = require('./run-quietly.js');

// better-sqlite3 13, which is used with this Node, brings its binaries. 12 is optional: npm leaves out what cannot be built
// (docs/decisions/0042-two-versions-of-sqlite.md).
if (Number(process.versions.napi) >= 10) {
  process.exit(process.env.npm_package_version?.startsWith('12.') ? 1 : 0);
}

const prefix = dirname(dirname(process.execPath));
const hasHeaders = existsSync(join(prefix, 'include/node/node_version.h'));
const options = hasHeaders ? [`--nodedir=${prefix}`] : [];

/** npm tells every script where its own node-gyp is. */
const nodeGyp = process.env.npm_config_node_gyp;
if (nodeGyp === undefined) throw new Error('This node-gyp is for the scripts that npm runs.');

if (process.argv[2] === 'rebuild')
  console.log('SQLite is now compiled, which takes two to five minutes.');
runQuietly(process.execPath, [nodeGyp, ...process.argv.slice(2), ...options]).then((status) => {
  process.exitCode = status;
});
