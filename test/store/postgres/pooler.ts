/** PgBouncer in transaction mode in front of a test server. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, makeServerDir, writeForServer } from './cluster.ts';
import { asUser, freePort, POOLER, say, startWatched } from './programs.ts';

export interface Pooler {
  readonly dir: string;
  readonly port: number;
}

export async function startPooler(
  { dir: server, port: server_port }: Cluster,
  owner: number,
): Promise<Pooler> {
  const [dir, port] = [makeServerDir(), await freePort()];
  writeForServer(`${dir}/users`, '"agent_of_tests" ""\n');
  writeForServer(
    `${dir}/ini`,
    `[databases]
* = host=${server} port=${server_port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir = ${dir}
auth_type = trust
auth_file = ${dir}/users
pool_mode = transaction
default_pool_size = 8
max_client_conn = 200
server_login_retry = 1
`,
  );
  startWatched(asUser(POOLER ?? '', [`${dir}/ini`]), dir, owner);
  for (let tries = 0; !existsSync(`${dir}/.s.PGSQL.${port}`); tries++) {
    if (tries > 400) throw new Error('no pooler');
    await sleep(25);
  }
  say(`through ${spawnSync(POOLER ?? '', ['--version'], { encoding: 'utf8' }).stdout.split('\n')[0] ?? '?'}`);
  return { dir, port };
}
