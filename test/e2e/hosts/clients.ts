/** The real clients: how to find each one, set it up in a separate home and start it, and which tools its model has. */
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import type { Call } from './model.ts';

export interface Place {
  readonly root: string;
  readonly home: string;
  readonly port: number;
}

export interface HostClient {
  readonly packages: readonly string[];
  /** Relative to node_modules; Node runs it if it ends with `.js`. */
  readonly program: string;
  /** The Node version it needs, if any. */
  readonly node?: number;
  readonly setUp: (place: Place) => void;
  readonly env: (place: Place) => Readonly<Record<string, string>>;
  readonly args: (prompt: string) => readonly string[];
  readonly read: (file: string) => Call;
  readonly edit: (file: string, from: string, to: string) => Call;
  readonly create: (file: string, text: string) => Call;
  readonly shell: (command: string) => Call;
}

function put(file: string, value: object | string): void {
  fs.mkdirSync(dirname(file), { recursive: true });
  fs.writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
}

const patch = (...lines: readonly string[]): Call => ({
  tool: 'apply_patch',
  input: ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n'),
});

/** On Linux with common processors: three of the clients publish their program as one package per platform. */
const PLATFORM = `${process.platform}-${process.arch}`;

export const CLIENTS: Readonly<Record<string, HostClient>> = {
  codex: {
    packages: ['@openai/codex@0.169.0'],
    program: `@openai/codex-${PLATFORM}/vendor/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-musl/bin/codex`,
    setUp: ({ root, home, port }) =>
      put(
        join(home, '.codex/config.toml'),
        `model = "gpt-5.5"\nmodel_provider = "mock"\napproval_policy = "never"\n[model_providers.mock]\nname = "mock"\nbase_url = "http://127.0.0.1:${port}/v1"\nwire_api = "responses"\nrequires_openai_auth = false\n[projects.${JSON.stringify(root)}]\ntrust_level = "trusted"\n`,
      ),
    env: () => ({}),
    args: (prompt) => [
      'exec',
      '--json',
      '-s',
      'danger-full-access',
      '--dangerously-bypass-hook-trust',
      prompt,
    ],
    read: (file) => ({ tool: 'exec_command', input: { cmd: `cat ${file}` } }),
    edit: (file, from, to) => patch(`*** Update File: ${file}`, '@@', `-${from}`, `+${to}`),
    create: (file, text) => patch(`*** Add File: ${file}`, `+${text.trimEnd()}`),
    shell: (cmd) => ({ tool: 'exec_command', input: { cmd } }),
  },
  gemini: {
    packages: ['@google/gemini-cli@0.61.0'],
    program: '@google/gemini-cli/package.json#gemini',
    setUp({ root, home }) {
      put(join(home, '.gemini/settings.json'), {
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { disableAutoUpdate: true, enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      });
      put(join(home, '.gemini/trustedFolders.json'), { [root]: 'TRUST_FOLDER' });
    },
    env: ({ port }) => ({
      GEMINI_API_KEY: 'k',
      GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}`,
      GEMINI_CLI_NO_RELAUNCH: 'true',
    }),
    args: (prompt) => ['-m', 'gemini-2.5-flash', '--yolo', '-o', 'stream-json', '-p', prompt],
    read: (file_path) => ({ tool: 'read_file', input: { file_path } }),
    edit: (file_path, old_string, new_string) => ({
      tool: 'replace',
      input: { file_path, instruction: 'x', old_string, new_string },
    }),
    create: (file_path, content) => ({ tool: 'write_file', input: { file_path, content } }),
    shell: (command) => ({ tool: 'run_shell_command', input: { command, description: 'x' } }),
  },
  qwen: {
    packages: ['@qwen-code/qwen-code@0.24.4'],
    program: '@qwen-code/qwen-code/cli.js',
    node: 22,
    setUp({ root, home }) {
      put(join(home, '.qwen/settings.json'), {
        security: { auth: { selectedType: 'openai' } },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        $version: 3,
      });
      put(join(home, '.qwen/trustedFolders.json'), { [root]: 'TRUST_FOLDER' });
    },
    env: ({ port }) => ({
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      OPENAI_MODEL: 'mock',
    }),
    args: (prompt) => ['--yolo', '-o', 'stream-json', '-p', prompt],
    read: (file_path) => ({ tool: 'read_file', input: { file_path } }),
    edit: (file_path, old_string, new_string) => ({
      tool: 'edit',
      input: { file_path, old_string, new_string },
    }),
    create: (file_path, content) => ({ tool: 'write_file', input: { file_path, content } }),
    shell: (command) => ({
      tool: 'run_shell_command',
      input: { command, description: 'x', is_background: false },
    }),
  },
  copilot: {
    packages: ['@github/copilot@1.0.102'],
    program: `@github/copilot-${PLATFORM}/copilot`,
    setUp: ({ root, home }) =>
      put(join(home, '.copilot/config.json'), {
        trusted_folders: [root],
        trustedFolders: [root],
        banner: 'never',
      }),
    env: ({ port }) => ({
      COPILOT_PROVIDER_BASE_URL: `http://127.0.0.1:${port}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_MODEL: 'mock',
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_API_KEY: 'k',
      COPILOT_AUTO_UPDATE: 'false',
    }),
    args: (prompt) => ['--allow-all', '--no-color', '-p', prompt],
    read: (path) => ({ tool: 'view', input: { path } }),
    edit: (path, old_str, new_str) => ({ tool: 'edit', input: { path, old_str, new_str } }),
    create: (path, file_text) => ({ tool: 'create', input: { path, file_text } }),
    shell: (command) => ({
      tool: 'bash',
      input: { command, description: 'x', mode: 'sync', initial_wait: 30 },
    }),
  },
  opencode: {
    packages: ['opencode-ai@1.18.33'],
    program: `opencode-${PLATFORM}/bin/opencode`,
    setUp({ root, port }) {
      put(join(root, 'opencode.json'), {
        model: 'mock/mock',
        small_model: 'mock/mock',
        autoupdate: false,
        share: 'disabled',
        permission: 'allow',
        provider: {
          mock: {
            npm: '@ai-sdk/openai-compatible',
            name: 'mock',
            options: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'k' },
            models: { mock: { name: 'mock', tool_call: true, limit: { context: 100_000, output: 8000 } } },
          },
        },
      });
    },
    env: ({ port }) => ({
      // It first looks for its plugin package. Without a network that takes a minute, and no time where there is none.
      npm_config_registry: `http://127.0.0.1:${port}/`,
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    }),
    args: (prompt) => ['run', '--format', 'json', prompt],
    read: (filePath) => ({ tool: 'read', input: { filePath } }),
    edit: (filePath, oldString, newString) => ({ tool: 'edit', input: { filePath, oldString, newString } }),
    create: (filePath, content) => ({ tool: 'write', input: { filePath, content } }),
    shell: (command) => ({ tool: 'bash', input: { command, description: 'x' } }),
  },
};
