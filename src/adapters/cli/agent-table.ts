// biome-ignore lint/suspicious/noTemplateCurlyInString: the editors replace it.
const WORKSPACE = '${workspaceFolder}';

/** The coding agents that can be connected, and where each keeps its MCP servers. */
export const AGENTS = {
  claude: {
    file: '.mcp.json',
    key: 'mcpServers',
    next: 'Start Claude Code in the project; it asks once whether to use the server.',
  },
  cursor: {
    file: '.cursor/mcp.json',
    key: 'mcpServers',
    folder: WORKSPACE,
    next: 'In the settings of Cursor, turn the server on under MCP.',
  },
  vscode: {
    file: '.vscode/mcp.json',
    key: 'servers',
    folder: WORKSPACE,
    next: 'In VS Code, run "MCP: List Servers" to start the server; it asks once whether to trust it.',
  },
  codex: {
    file: '.codex/config.toml',
    key: 'mcp_servers',
    next: 'Start Codex in the project; it uses the server once you trust the project.',
  },
  gemini: {
    file: '.gemini/settings.json',
    key: 'mcpServers',
    next: 'Start Gemini CLI in the project; /mcp lists the server.',
  },
} as const satisfies Readonly<Record<string, AgentFile>>;

export interface AgentFile {
  /** Relative to the project. */
  readonly file: string;
  readonly key: string;
  /** How the file refers to the project; default: the agent starts its servers in the project. */
  readonly folder?: string;
  /** The user's next step. */
  readonly next: string;
}

export type Agent = keyof typeof AGENTS;
export const AGENT_IDS = Object.keys(AGENTS) as readonly Agent[];
