#!/usr/bin/env node
// Writes what catalogues of agents read: the Claude Code plugin (code.claude.com/docs, "Plugins reference"), its
// marketplace, and server.json of the MCP registry. Names and versions are those of package.json.
//
//   node scripts/write-manifests.mjs [directory]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const into = process.argv[2] ?? root;
const { name, version, license, keywords, mcpName } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const description = "Search your project's documents, notes and earlier sessions.";

write('plugin/.claude-plugin/plugin.json', {
  name,
  version,
  description,
  license,
  keywords,
  mcpServers: { [name]: { command: name, args: ['mcp'] } },
});

write('.claude-plugin/marketplace.json', {
  name,
  owner: { name },
  plugins: [{ name, source: './plugin', description, version }],
});

write('server.json', {
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: mcpName,
  description,
  version,
  packages: [
    {
      registryType: 'npm',
      identifier: name,
      version,
      transport: { type: 'stdio' },
      packageArguments: [{ type: 'positional', value: 'mcp' }],
      environmentVariables: [
        {
          name: 'DATA_DIR',
          description: 'Folder of the embedding model; default the data folder of the user.',
          format: 'filepath',
        },
        { name: 'KNOWLEDGE_OFFLINE', description: '1 forbids downloading the embedding model.' },
        { name: 'KNOWLEDGE_MODEL_HOST', description: 'Another hub or mirror for the model.' },
      ],
    },
  ],
});

function write(path, content) {
  const file = join(into, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}
