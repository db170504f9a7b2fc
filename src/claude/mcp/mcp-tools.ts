/** MCP tools that read or write files: which, and where their calls say which file. */
interface McpTool {
  /** Full tool name, or its beginning followed by one `*`. */
  readonly tool: string;
  /** Dotted places in tool_input that hold a path or a list of paths. */
  readonly paths: readonly string[];
  /** The user's own word (config/schema.ts). */
  readonly own?: true;
}

/** The configuration's rows; they win over the built-in ones, a user's reader also over a built-in writer. */
export interface McpTools {
  readonly writers: readonly McpTool[];
  readonly readers: readonly McpTool[];
}
