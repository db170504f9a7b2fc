/**
 * A hundred edits that people and agents make to settings files, each added to a file that hooks guard. With every one
 * the real client (2.1.330) still ran its hooks. test/e2e/settings.test.ts repeats the check.
 */
type Edit = Readonly<Record<string, unknown>>;

const permissions = (rules: Edit): Edit => ({ permissions: rules });
const hooks = (event: string, hook: Edit, matcher?: string): Edit => ({
  hooks: { [event]: [{ ...(matcher === undefined ? {} : { matcher }), hooks: [hook] }] },
});
const command = (more: Edit = {}): Edit => ({ type: 'command', command: 'true', ...more });
const env = (variables: Edit): Edit => ({ env: variables });
const sandbox = (more: Edit): Edit => ({ sandbox: more });

export const ORDINARY: readonly Edit[] = [
  permissions({ allow: ['Bash(npm test:*)'] }),
  permissions({ allow: ['Bash(git diff:*)', 'Bash(git log:*)', 'WebFetch(domain:example.com)'] }),
  permissions({ allow: ['mcp__github__list_issues', 'mcp__github'] }),
  permissions({ deny: ['Read(./.env)', 'Read(./secrets/**)'] }),
  permissions({ ask: ['Bash(git push:*)'] }),
  permissions({ defaultMode: 'acceptEdits' }),
  permissions({ defaultMode: 'plan' }),
  permissions({ defaultMode: 'default' }),
  permissions({ additionalDirectories: ['../docs'] }),
  permissions({ disableBypassPermissionsMode: 'disable' }),
  permissions({ allow: ['Edit(src/**)'], deny: [], ask: [] }),
  permissions({ blockReadsOutsideWorkingDirectories: true }),
  hooks('PreToolUse', command(), 'Bash'),
  hooks('PreToolUse', command({ timeout: 10 }), 'Edit|Write'),
  hooks('PreToolUse', command({ timeout: 0.5, statusMessage: 'Checking' }), 'mcp__.*'),
  hooks('PreToolUse', command({ if: 'Bash(git *)' }), 'Bash'),
  hooks('PreToolUse', command({ onFailure: 'continue' }), '*'),
  hooks('PreToolUse', command({ async: true })),
  hooks('PreToolUse', { type: 'command', command: 'node', args: ['-e', '0'] }, 'Bash'),
  hooks('PreToolUse', command({ shell: 'bash', once: true }), 'Read'),
  hooks('PreToolUse', { type: 'http', url: 'http://127.0.0.1:9/hook', timeout: 1 }, 'NoSuchTool'),
  hooks(
    'PreToolUse',
    { type: 'mcp_tool', server: 'lint', tool: 'check', input: { path: '${tool_input.file_path}' } },
    'NoSuchTool',
  ),
  hooks('PreToolUse', { type: 'prompt', prompt: 'Is this safe?', model: 'haiku' }, 'NoSuchTool'),
  hooks('PreToolUse', { type: 'agent', prompt: 'Check it', timeout: 30 }, 'NoSuchTool'),
  hooks('PermissionRequest', command(), 'Bash'),
  hooks('PostToolUse', { type: 'command', command: 'npx prettier --version || true' }, 'Edit|Write'),
  hooks('PostToolUse', command({ asyncRewake: true, rewakeMessage: 'done' }), 'NoSuchTool'),
  hooks('PostToolUse', command(), 'Edit|MultiEdit|Write|NotebookEdit'),
  hooks('PostToolUseFailure', command(), 'Bash'),
  hooks('PostToolBatch', command()),
  hooks('Notification', command({ command: 'notify-send x || true' }), 'permission_prompt'),
  hooks('UserPromptSubmit', command()),
  hooks('SessionStart', command(), 'startup|resume'),
  hooks('SessionEnd', command({ timeout: 2 })),
  hooks('Stop', command()),
  hooks('SubagentStop', command()),
  hooks('SubagentStart', command(), 'Explore'),
  hooks('PreCompact', command(), 'auto'),
  hooks('PostCompact', command()),
  hooks('WorktreeRemove', command()),
  hooks('ConfigChange', command(), 'project_settings'),
  hooks('CwdChanged', command()),
  hooks('FileChanged', command(), '.envrc'),
  hooks('InstructionsLoaded', command()),
  hooks('TaskCompleted', command()),
  env({ NODE_ENV: 'development' }),
  env({ NODE_OPTIONS: '--max-old-space-size=8192' }),
  env({ NODE_OPTIONS: '--no-warnings --enable-source-maps' }),
  env({ NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/company.pem' }),
  env({ DATABASE_URL: 'postgres://localhost/dev', REDIS_URL: 'redis://localhost' }),
  env({ PYTHONPATH: 'src', VIRTUAL_ENV: '.venv' }),
  env({ GOFLAGS: '-mod=vendor', CARGO_TERM_COLOR: 'always', RUST_BACKTRACE: '1' }),
  env({ CI: 'true', FORCE_COLOR: '0', TZ: 'UTC', LANG: 'C.UTF-8' }),
  env({ BASH_DEFAULT_TIMEOUT_MS: '600000', BASH_MAX_TIMEOUT_MS: '1200000' }),
  env({ BASH_MAX_OUTPUT_LENGTH: '50000', MAX_MCP_OUTPUT_TOKENS: '50000', MCP_TIMEOUT: '30000' }),
  env({ CLAUDE_CODE_MAX_OUTPUT_TOKENS: '32000', MAX_THINKING_TOKENS: '10000' }),
  env({ CLAUDE_CODE_ENABLE_TELEMETRY: '0', OTEL_SERVICE_NAME: 'team', DISABLE_TELEMETRY: '1' }),
  env({ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' }),
  env({ CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR: '1' }),
  env({ CLAUDE_CODE_SUBAGENT_MODEL: 'haiku', ANTHROPIC_MODEL: 'claude-opus-5-5' }),
  env({ HTTP_TIMEOUT: '30', NO_PROXY: 'localhost', GIT_EDITOR: 'true', PAGER: 'cat', EDITOR: 'vi' }),
  env({ SHELL: '/bin/bash' }),
  env({ RETRIES: 3, VERBOSE: true }),
  { model: 'opus' },
  { model: 'claude-sonnet-5', fallbackModel: ['claude-haiku-4-5'] },
  { availableModels: ['opus', 'sonnet'] },
  { statusLine: { type: 'command', command: 'echo ok', padding: 0 } },
  { statusLine: { type: 'command', command: '~/.claude/status.sh', refreshInterval: 5 } },
  { outputStyle: 'Explanatory' },
  { language: 'german' },
  { attribution: { commit: '', pr: '' } },
  { includeCoAuthoredBy: false },
  { includeGitInstructions: false },
  { cleanupPeriodDays: 20 },
  { respectGitignore: false },
  { alwaysThinkingEnabled: true },
  { effortLevel: 'high' },
  { autoMemoryEnabled: false },
  { plansDirectory: './plans' },
  { companyAnnouncements: ['Welcome'] },
  { spinnerTipsEnabled: false, prefersReducedMotion: true },
  { spinnerVerbs: { mode: 'replace', verbs: ['Working'] } },
  { enabledPlugins: { 'formatter@acme': true, 'linter@acme': false } },
  { enabledPlugins: { 'pinned@acme': ['1.2.3'] } },
  { extraKnownMarketplaces: { acme: { source: { source: 'github', repo: 'acme/plugins' } } } },
  {
    extraKnownMarketplaces: {
      local: { source: { source: 'directory', path: './plugins' }, autoUpdate: true },
    },
  },
  { enableAllProjectMcpServers: true },
  { enabledMcpjsonServers: ['github'], disabledMcpjsonServers: ['filesystem'] },
  { deniedMcpServers: [{ serverName: 'filesystem' }] },
  sandbox({ enabled: false, autoAllowBashIfSandboxed: true }),
  sandbox({ enabled: false, excludedCommands: ['docker'] }),
  sandbox({ network: { allowUnixSockets: ['/var/run/docker.sock'], allowLocalBinding: true } }),
  sandbox({ filesystem: { allowWrite: ['//tmp/build'], denyRead: ['~/.aws'] } }),
  { worktree: { symlinkDirectories: ['node_modules'], baseRef: 'head' } },
  { fileSuggestion: { type: 'command', command: 'git ls-files' } },
  { claudeMdExcludes: ['**/vendor/CLAUDE.md'] },
  { $schema: 'https://json.schemastore.org/claude-code-settings.json' },
  { _comment: 'Shared by the team', '//': 'see the handbook' },
  { pluginConfigs: { 'formatter@acme': { options: { width: 100, strict: true, files: ['src'] } } } },
  { skillOverrides: { review: 'name-only' }, theme: 'dark', verbose: false, autoUpdatesChannel: 'stable' },
];

/** Merges `change` into `settings`: lists are appended to, objects are merged. */
export function merged(settings: object, change: object): Edit {
  const own = settings as Edit;
  const entries = Object.entries(change as Edit).map(([key, value]) => [key, joined(own[key], value)]);
  return { ...settings, ...(Object.fromEntries(entries) as Edit) };
}

function joined(a: unknown, b: unknown): unknown {
  if (Array.isArray(a) && Array.isArray(b)) return [...(a as unknown[]), ...(b as unknown[])];
  return isEdit(a) && isEdit(b) ? merged(a, b) : b;
}

const isEdit = (value: unknown): value is Edit =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
