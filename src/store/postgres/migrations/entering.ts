/**
 * How the functions of version 2 begin: as `guard.enter` does, without a call that costs as much as what it does.
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
  IF set_config('guard.repo', p.repo::text, true) IS NULL THEN END IF;`;
