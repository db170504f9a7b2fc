/**
 * Version 2: a clock that does not jump ahead when another server answers, or the same one after a restart. Such a
 * server's wall clock may be ahead of the one by which machines computed the deadlines of their cached leases, and how
 * much time has really passed cannot be known. So the clock continues from the newest record: leases last longer, never
 * shorter. It is the zero of the clock that moves (`epoch_ms`); times for people remain those of the wall clock. A
 * server is recognised by when it started: a promoted standby started at another time than its primary.
 */
export const CLOCK_2 = `
ALTER TABLE guard.repository ADD COLUMN server timestamptz NOT NULL DEFAULT pg_postmaster_start_time();

CREATE FUNCTION guard.on_this_server(p guard.repository) RETURNS guard.repository LANGUAGE plpgsql AS $$
DECLARE own guard.repository;
BEGIN
  -- A server that takes over computes this again, so no standby has to have it. Whoever writes more raises it again.
  PERFORM set_config('synchronous_commit', 'local', true);
  -- Of several at the same time one does it: the others wait for its row, and find that it is done.
  UPDATE guard.repository q SET server = pg_postmaster_start_time(), epoch_ms = q.epoch_ms + n.ahead_ms,
    closed_ms = CASE WHEN q.closed_ms > 0 THEN q.closed_ms + n.ahead_ms ELSE 0 END
    FROM (SELECT greatest(0, guard.clock_ms() - greatest(p.epoch_ms,
      (SELECT l.at_ms FROM guard.log l WHERE l.repo = p.repo AND l.lsn >= p.epoch_lsn ORDER BY l.lsn DESC LIMIT 1))) AS ahead_ms) n
    WHERE q.repo = p.repo AND q.epoch = p.epoch AND q.server <> pg_postmaster_start_time();
  SELECT q.* INTO own FROM guard.repository q WHERE q.repo = p.repo;
  RETURN own;
END $$;

-- A new epoch's clock and its closing time are this server's.
CREATE FUNCTION guard.new_epoch_2(id uuid, leap bigint, closed_for_ms bigint) RETURNS text LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE p guard.repository := guard.on_this_server(guard.enter(id));
BEGIN
  PERFORM set_config('synchronous_commit', 'on', true);
  RETURN guard.new_epoch_1(id, leap, closed_for_ms);
END $$;
REVOKE ALL ON FUNCTION guard.on_this_server, guard.new_epoch_2 FROM PUBLIC;
`;
