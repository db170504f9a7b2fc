/** Version 1: functions for the owner, and permissions. */
export const KEEPING = `
CREATE FUNCTION guard.create_repository_1(id uuid, first_lsn bigint) RETURNS text LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE own int; minted text := gen_random_uuid()::text; numbers text;
BEGIN
  own := nextval(pg_get_serial_sequence('guard.repository', 'repo')::regclass);
  numbers := 'guard.numbers_' || own;
  EXECUTE format('CREATE SEQUENCE %s MINVALUE 1 START %s', numbers, first_lsn);
  INSERT INTO guard.repository (repo, id, epoch, epoch_lsn, epoch_ms, salt, numbers) OVERRIDING SYSTEM VALUE
    VALUES (own, create_repository_1.id, minted, first_lsn, guard.clock_ms(), ('x' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 16))::bit(64)::bigint, numbers::regclass);
  RETURN minted;
END $$;

-- After a restore to an older moment. Numbers leap over those that were given out since that moment, the clock begins anew, and
-- for a while nothing is committed. Another server counts transactions from elsewhere: records of before come before all of its own.
CREATE FUNCTION guard.new_epoch_1(id uuid, leap bigint, closed_for_ms bigint) RETURNS text LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE p guard.repository := guard.enter(id); minted text := gen_random_uuid()::text; next bigint; at bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('r', p.salt));
  -- A clone that joins meanwhile (guard.leap_1) would set the numbers back to its own.
  PERFORM pg_advisory_xact_lock(hashtextextended('d', p.salt));
  next := nextval(p.numbers) + leap;
  PERFORM setval(p.numbers, next, false);
  UPDATE guard.log l SET xid = '2' WHERE l.repo = p.repo AND l.xid >= pg_current_xact_id();
  at := guard.clock_ms();
  UPDATE guard.repository q SET epoch = minted, epoch_lsn = next, epoch_ms = at, closed_ms = at + closed_for_ms, followed_ms = 0
    WHERE q.repo = p.repo;
  RETURN minted;
END $$;

CREATE FUNCTION guard.drop_repository_1(id uuid) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE p guard.repository := guard.enter(id);
BEGIN
  DELETE FROM guard.state s WHERE s.repo = p.repo;
  DELETE FROM guard.log l WHERE l.repo = p.repo;
  DELETE FROM guard.known k WHERE k.repo = p.repo;
  DELETE FROM guard.member m WHERE m.repo = p.repo;
  DELETE FROM guard.repository q WHERE q.repo = p.repo;
  EXECUTE format('DROP SEQUENCE %s', p.numbers);
END $$;

-- A clone that comes had tokens of its own: those that follow are larger. Whoever may use the repository may use up its numbers, too, but not at once.
CREATE FUNCTION guard.leap_1(id uuid, beyond bigint) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE p guard.repository := guard.enter(id);
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('d', p.salt));
  IF beyond >= 1125899906842624 THEN
    RAISE EXCEPTION 'no ledger of one machine has such a number: %', beyond USING ERRCODE = 'GD409';
  END IF;
  IF nextval(p.numbers) <= beyond THEN PERFORM setval(p.numbers, beyond); END IF;
END $$;

-- Standbys without a state are not shown to whoever owns this.
CREATE FUNCTION guard.health_1() RETURNS json LANGUAGE sql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT json_build_object('now_ms', guard.clock_ms(), 'is_waited_for', current_setting('synchronous_standby_names') <> '',
    'is_flushed', current_setting('fsync')::bool, 'standbys', (SELECT coalesce(json_agg(json_build_object('name', r.application_name,
      'state', r.state, 'kind', r.sync_state)), '[]') FROM pg_stat_replication r WHERE r.state IS DISTINCT FROM 'backup'))
$$;

CREATE FUNCTION guard.admit_1(id uuid, login name) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE p guard.repository := guard.enter(id);
BEGIN
  INSERT INTO guard.member (role, repo) VALUES (login, p.repo) ON CONFLICT DO NOTHING;
END $$;

GRANT USAGE ON SCHEMA guard TO guard_agent;
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA guard FROM PUBLIC;
GRANT EXECUTE ON FUNCTION guard.hello_1, guard.look_1, guard.commit_1, guard.scan_1, guard.follow_1, guard.leap_1, guard.health_1 TO guard_agent;
`;
