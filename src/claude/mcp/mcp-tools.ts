/** MCP tools that read or write files, and the arguments that name the files. */
interface McpTool {
  /** The full tool name, or a prefix followed by one `*`. */
  readonly tool: string;
  /** Dotted places in tool_input that contain a path or a list of paths. */
  readonly paths: readonly string[];
  /** Set by the user (config/schema.ts). */
  readonly own?: true;
}

/** The configuration's rows, which override the built-in ones; a user's reader also overrides a built-in writer. */
export interface McpTools {
  readonly writers: readonly McpTool[];
  readonly readers: readonly McpTool[];
}
