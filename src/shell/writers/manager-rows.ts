/** What package managers write, by their verbs, but for those of Node (packages.ts). */
export interface Manager {
  readonly manifest: string;
  readonly also: readonly string[];
  /** Verbs that change the manifest as well. */
  readonly adds: RegExp;
  /** Verbs that change the rest. */
  readonly installs: RegExp;
  /** Options with a value. */
  readonly grammar?: string;
}

export const MANAGERS: Readonly<Record<string, Manager>> = {
  poetry: {
    manifest: 'pyproject.toml',
    also: ['poetry.lock'],
    adds: /^(?:add|remove|version|init)$/,
    installs: /^(?:lock|update)$/,
  },
  uv: {
    manifest: 'pyproject.toml',
    also: ['uv.lock', '.venv'],
    adds: /^(?:add|remove|init|version)$/,
    installs: /^(?:lock|sync)$/,
  },
  pdm: {
    manifest: 'pyproject.toml',
    also: ['pdm.lock'],
    adds: /^(?:add|remove|init)$/,
    installs: /^(?:lock|update|install|sync)$/,
  },
  pipenv: {
    manifest: 'Pipfile',
    also: ['Pipfile.lock'],
    adds: /^(?:install|uninstall)$/,
    installs: /^(?:lock|update|sync)$/,
  },
  cargo: {
    manifest: 'Cargo.toml',
    also: ['Cargo.lock', 'target'],
    adds: /^(?:add|remove|rm|init)$/,
    installs: /^(?:update|generate-lockfile|build|b|test|t|run|r|check|c|clippy|doc|bench|nextest)$/,
  },
  bundle: {
    manifest: 'Gemfile',
    also: ['Gemfile.lock', 'vendor/bundle'],
    adds: /^(?:add|remove|init)$/,
    installs: /^(?:install|update|lock)$/,
  },
  composer: {
    manifest: 'composer.json',
    also: ['composer.lock', 'vendor'],
    adds: /^(?:require|remove|init|config)$/,
    installs: /^(?:install|i|update|u|upgrade|dump-autoload)$/,
  },
  pod: {
    manifest: 'Podfile',
    also: ['Podfile.lock', 'Pods'],
    adds: /^init$/,
    installs: /^(?:install|update)$/,
  },
  flutter: {
    manifest: 'pubspec.yaml',
    also: ['pubspec.lock'],
    adds: /^pub (?:add|remove)$/,
    installs: /^pub (?:get|upgrade)$/,
  },
  dart: {
    manifest: 'pubspec.yaml',
    also: ['pubspec.lock'],
    adds: /^pub (?:add|remove)$/,
    installs: /^pub (?:get|upgrade)$/,
  },
  mix: {
    manifest: 'mix.exs',
    also: ['mix.lock', 'deps'],
    adds: /^$/,
    installs: /^deps\.(?:get|update|unlock|clean)$/,
  },
  swift: {
    manifest: 'Package.swift',
    also: ['Package.resolved', '.build'],
    adds: /^package (?:init|add-.*)$/,
    installs: /^(?:build|test|run|package (?:update|resolve))$/,
  },
};
