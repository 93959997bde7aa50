#!/usr/bin/env node

/**
 * better-sqlite3 downloads a prebuilt binary or, where it cannot, builds itself, for which node-gyp
 * downloads Node's headers. Most installations of Node bring these headers along; with them the npm
 * registry is all that an installation needs.
 */
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { dirname, join } = require('node:path');

const prefix = dirname(dirname(process.execPath));
const hasHeaders = existsSync(join(prefix, 'include/node/node_version.h'));
const options = hasHeaders ? [`--nodedir=${prefix}`] : [];

/** npm tells every script where its own node-gyp is. */
const nodeGyp = process.env.npm_config_node_gyp;
if (nodeGyp === undefined) throw new Error('This node-gyp is for the scripts that npm runs.');

/** Without it, what is compiled for Node 24.19 or newer aborts (docs/decisions/0042-object-wrap.md). MSVC would write it otherwise. */
const wrap = process.platform === 'win32' ? '' : `-include "${join(__dirname, 'object-wrap.h')}"`;
const { CXXFLAGS = '' } = process.env;

const { status } = spawnSync(process.execPath, [nodeGyp, ...process.argv.slice(2), ...options], {
  stdio: 'inherit',
  env: { ...process.env, CXXFLAGS: `${CXXFLAGS} ${wrap}`.trim() },
});
process.exitCode = status ?? 1;
