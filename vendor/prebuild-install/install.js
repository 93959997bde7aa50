#!/usr/bin/env node

/**
 * better-sqlite3 installs by `prebuild-install || node-gyp rebuild`. Both ask a release host, for a
 * binary and for Node's headers, so an installation with the npm registry alone would fail. Between
 * the two this tries a third way: a build with the headers that lie beside the running Node.
 */
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { dirname, join } = require('node:path');

const prefix = dirname(dirname(process.execPath));
const hasHeaders = existsSync(join(prefix, 'include/node/node_version.h'));

process.exitCode = prebuilt() || (hasHeaders ? built() : 1);

function prebuilt() {
  const upstream = require.resolve('prebuild-install-upstream/bin.js');
  return run(process.execPath, [upstream, ...process.argv.slice(2)]);
}

function built() {
  return run('node-gyp', ['rebuild', '--release', `--nodedir=${prefix}`]);
}

/** The exit code; 1 for a program that could not be run. */
function run(program, args) {
  return spawnSync(program, args, { stdio: 'inherit' }).status ?? 1;
}
