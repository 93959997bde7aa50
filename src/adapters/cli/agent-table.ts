// biome-ignore lint/suspicious/noTemplateCurlyInString: the editors replace it.
const WORKSPACE = '${workspaceFolder}';

/** The coding agents that can be connected, and where each keeps its MCP servers, instructions and hooks. */
export const AGENTS = {
  claude: {
    file: '.mcp.json',
    format: 'json',
    key: 'mcpServers',
    type: 'stdio',
    instructions: 'CLAUDE.md',
    hooks: '.claude/settings.local.json',
    next: 'Start Claude Code in the project; it asks once whether to use the server.',
  },
  cursor: {
    file: '.cursor/mcp.json',
    format: 'json',
    key: 'mcpServers',
    folder: WORKSPACE,
    type: 'stdio',
    instructions: 'AGENTS.md',
    next: 'In the settings of Cursor, turn the server on under MCP.',
  },
  vscode: {
    file: '.vscode/mcp.json',
    format: 'json',
    key: 'servers',
    folder: WORKSPACE,
    type: 'stdio',
    instructions: 'AGENTS.md',
    next: 'In VS Code, run "MCP: List Servers" to start the server; it asks once whether to trust it.',
  },
  codex: {
    file: '.codex/config.toml',
    format: 'toml',
    key: 'mcp_servers',
    instructions: 'AGENTS.md',
    next: 'Start Codex in the project; it uses the server once you trust the project.',
  },
  gemini: {
    file: '.gemini/settings.json',
    format: 'json',
    key: 'mcpServers',
    instructions: 'AGENTS.md',
    next: 'Start Gemini CLI in the project; /mcp lists the server.',
  },
} as const satisfies Readonly<Record<string, AgentFile>>;

interface AgentFile {
  /** Relative to the project. */
  readonly file: string;
  readonly format: 'json' | 'toml';
  readonly key: string;
  /** How the file refers to the project. Absent if the agent starts its servers in the project. */
  readonly folder?: string;
  /** Transport that an entry names; absent if entries of the agent name none. */
  readonly type?: 'stdio';
  /** The file with instructions for the project, relative to it. */
  readonly instructions: string;
  /** File with the user's own hooks, relative to the project; absent if this program adds no hooks for the agent. */
  readonly hooks?: string;
  /** Tells the user what to do after `connect`. */
  readonly next: string;
}

export type Agent = keyof typeof AGENTS;
export const AGENT_IDS = Object.keys(AGENTS) as readonly Agent[];

/** Returns the entry of an agent in `AGENTS`, as the common type. */
export function agentFile(agent: Agent): AgentFile {
  return AGENTS[agent];
}
