/**
 * How functions for agents run: with the owner's rights and a fixed search path, and with one generic plan that uses
 * keys even if a table was small when it was planned. Planning each call took as long as the call itself, and a plan
 * made for an empty table later scanned all of it.
 */
export const AS_OWNER = `SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off`;
