/** The server's health, as queried by the owner of the database. */
import type { ClientBase } from 'pg';
import type { EngineHealth } from '../../core/engine-health.ts';

export async function healthIn(client: ClientBase): Promise<EngineHealth> {
  const { rows } = await client.query<{ health: EngineHealth }>('SELECT guard.health_1() AS health');
  return rows[0]?.health as EngineHealth;
}
