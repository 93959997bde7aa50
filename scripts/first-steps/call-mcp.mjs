import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const client = new Client({ name: 'first-steps', version: '1.0.0' });
const server = { command: 'npx', args: ['knowledge-store', 'mcp'], env: process.env };
await client.connect(new StdioClientTransport(server));
const { tools } = await client.listTools();
console.log(tools.map(({ name }) => name).join(', '));
const { content } = await client.callTool({ name: 'search', arguments: { query: 'lock' } });
await client.close();
console.log(content[0].text);
if (!content[0].text.includes('docs/db.md#0')) throw new Error('MCP should find one chunk.');
