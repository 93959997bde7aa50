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
    next: 'Cursor lists the server in its settings, under MCP, where it can be switched on.',
  },
  vscode: {
    file: '.vscode/mcp.json',
    key: 'servers',
    folder: WORKSPACE,
    next: 'VS Code asks once whether to trust the server; "MCP: List Servers" starts it.',
  },
  codex: {
    file: '.codex/config.toml',
    key: 'mcp_servers',
    next: 'Start Codex in the project; it reads the servers of projects that it trusts.',
  },
  gemini: {
    file: '.gemini/settings.json',
    key: 'mcpServers',
    next: 'Start Gemini CLI in the project; /mcp lists the server.',
  },
} as const satisfies Readonly<Record<string, AgentFile>>;

export interface AgentFile {
  /** Below the project. */
  readonly file: string;
  readonly key: string;
  /** How the file names the project; default: the agent starts its servers in the project. */
  readonly folder?: string;
  /** The next step for a person. */
  readonly next: string;
}

export type Agent = keyof typeof AGENTS;
export const AGENT_NAMES = Object.keys(AGENTS) as readonly Agent[];
