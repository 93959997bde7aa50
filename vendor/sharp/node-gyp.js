#!/usr/bin/env node

/**
 * better-sqlite3 12 downloads a prebuilt binary or, where it cannot, builds itself, for which node-gyp
 * downloads Node's headers. Most installations of Node bring these headers along; with them the npm
 * registry is all that an installation needs.
 */
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { dirname, join } = require('node:path');

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

const { status } = spawnSync(process.execPath, [nodeGyp, ...process.argv.slice(2), ...options], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
