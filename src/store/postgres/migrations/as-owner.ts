/**
 * How functions for agents run: with the owner's rights and names of its own; planned once, by keys, however small a table was then. A
 * plan for each call took as long as the call, and one that was made for an empty table went through all of it later.
 */
export const AS_OWNER = `SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off`;
