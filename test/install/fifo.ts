import { execFileSync } from 'node:child_process';

export const mkfifoSync = (path: string): void => {
  execFileSync('mkfifo', [path]);
};
