/** Version 1: what the owner does, and who may call what. */
export const KEEPING = `
CREATE FUNCTION guard.create_repository_1(id uuid, first_lsn bigint) RETURNS text LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE own int; minted text := gen_random_uuid()::text; numbers text;
BEGIN
  own := nextval(pg_get_serial_sequence('guard.repository', 'repo')::regclass);
  numbers := 'guard.numbers_' || own;
  EXECUTE format('CREATE SEQUENCE %s MINVALUE 1 START %s', numbers, first_lsn);
  INSERT INTO guard.repository (repo, id, epoch, epoch_lsn, salt, numbers) OVERRIDING SYSTEM VALUE
    VALUES (own, create_repository_1.id, minted, first_lsn, ('x' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 16))::bit(64)::bigint, numbers::regclass);
  RETURN minted;
END $$;

-- After a restore to an older moment. Numbers leap over those that were given out since that moment.
CREATE FUNCTION guard.new_epoch_1(id uuid, leap bigint) RETURNS text LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE p guard.repository := guard.enter(id); minted text := gen_random_uuid()::text; next bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('r', p.salt));
  next := nextval(p.numbers) + leap;
  PERFORM setval(p.numbers, next, false);
  UPDATE guard.repository q SET epoch = minted, epoch_lsn = next WHERE q.repo = p.repo;
  RETURN minted;
END $$;

CREATE FUNCTION guard.admit_1(id uuid, login name) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE p guard.repository := guard.enter(id);
BEGIN
  INSERT INTO guard.member (role, repo) VALUES (login, p.repo) ON CONFLICT DO NOTHING;
END $$;

GRANT USAGE ON SCHEMA guard TO guard_agent;
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA guard FROM PUBLIC;
GRANT EXECUTE ON FUNCTION guard.hello_1, guard.look_1, guard.commit_1, guard.scan_1, guard.follow_1 TO guard_agent;
`;
