/**
 * How the functions of version 2 begin: as `guard.enter` does, without a call that costs as much as what it does, and
 * with the clock of the server that answers (clock-2.ts).
 * @param name of the function, which has a parameter `id` and a variable `p`
 */
export const entering = (name: string): string => `
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'guard needs transactions that are read committed' USING ERRCODE = 'GD409';
  END IF;
  SELECT q.* INTO p FROM guard.repository q WHERE q.id = ${name}.id;
  IF p.repo IS NULL THEN
    RAISE EXCEPTION 'there is no such repository for this role' USING ERRCODE = 'GD404';
  END IF;
  IF set_config('guard.repo', p.repo::text, true) IS NULL THEN END IF;
  IF p.server <> pg_postmaster_start_time() THEN p := guard.on_this_server(p); END IF;`;
