import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { put } from '../../install/scratch.ts';
import { places } from './place.ts';

const { fresh } = places();

describe('guard init', () => {
  it('says in a repository with workspaces where sessions are not guarded, but not where the user is', () => {
    const { run, repo } = fresh();
    put(join(repo, 'package.json'), '{"workspaces":["packages/*"]}');
    const told = run('init');
    expect(told.stderr).toContain('This repository has workspaces (package.json)');
    expect(told.stderr).toContain('guard init --scope user');
    expect(run('init', '--json').stdout).toContain('has workspaces (package.json)');
    expect(run('doctor', '--json').stdout).toContain('has workspaces (package.json)');
    expect(run('init', '--scope', 'user').stderr).not.toContain('workspaces');
    expect(run('doctor', '--json').stdout).not.toContain('workspaces');
  });
});
