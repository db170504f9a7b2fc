/**
 * Version 1: looking. Readers of the log stop at the oldest transaction that may still commit (the snapshot's xmin).
 * Numbers are drawn in the order of transaction ids (`guard.draw`), so nothing can appear below that later. If xmin is
 * too old (a long transaction of another application, an ANALYZE), only transactions with the repository's lock count.
 */
import { AS_OWNER } from './as-owner.ts';

export const LOOKING = `
CREATE FUNCTION guard.enter(given uuid) RETURNS guard.repository LANGUAGE plpgsql AS $$
DECLARE own guard.repository;
BEGIN
  -- Each statement must see what was committed before it, or locks prove nothing.
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'guard needs transactions that are read committed' USING ERRCODE = 'GD409';
  END IF;
  SELECT p.* INTO own FROM guard.repository p WHERE p.id = given;
  IF own.repo IS NULL THEN
    RAISE EXCEPTION 'there is no such repository for this role' USING ERRCODE = 'GD404';
  END IF;
  PERFORM set_config('guard.repo', own.repo::text, true);
  RETURN own;
END $$;

CREATE FUNCTION guard.clock_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;

CREATE FUNCTION guard.settled(p guard.repository) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE top bigint; drawn xid8; oldest xid8; till bigint; whole bigint := hashtextextended('r', p.salt); open_id bigint;
BEGIN
  SELECT l.lsn, l.xid, pg_snapshot_xmin(pg_current_snapshot()), pg_snapshot_xmax(pg_current_snapshot())::text::bigint
    INTO top, drawn, oldest, till
    FROM guard.log l WHERE l.repo = p.repo ORDER BY l.lsn DESC LIMIT 1;
  IF top IS NULL OR drawn < oldest THEN
    RETURN coalesce(top, 0);
  END IF;
  -- Whoever commits has the repository's lock before it has an id and a number. Who has one now and no id draws a larger number later;
  -- who had both and is not here any more is there for the next statement. Ids are 32 bits of what xid8 has.
  WITH k AS MATERIALIZED (SELECT * FROM pg_locks)
  SELECT min(till - (((till - i.transactionid::text::bigint) & 4294967295) # 2147483648) + 2147483648) INTO open_id
    FROM k i JOIN k w ON w.virtualtransaction = i.virtualtransaction
    WHERE i.locktype = 'transactionid' AND i.mode = 'ExclusiveLock' AND i.granted
      AND w.locktype = 'advisory' AND w.granted AND w.objsubid = 1
      AND w.classid = ((whole >> 32) & 4294967295)::oid AND w.objid = (whole & 4294967295)::oid
      AND w.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
      AND w.pid IS DISTINCT FROM pg_backend_pid();
  IF open_id IS NULL THEN
    RETURN top;
  END IF;
  RETURN coalesce((SELECT l.lsn FROM guard.log l WHERE l.repo = p.repo AND l.xid < open_id::text::xid8
    ORDER BY l.xid DESC, l.lsn DESC LIMIT 1), 0);
END $$;

CREATE FUNCTION guard.listed(r int, below bytea, since bigint, most int, after bytea, OUT version text, OUT rows text)
LANGUAGE plpgsql STABLE AS $$
DECLARE room int := nullif(most, 0); till bytea := below || '\\xff'::bytea;
BEGIN
  IF after IS NOT NULL THEN
    SELECT 'p' || count(*) || ':' || hashtextextended(coalesce(string_agg(encode(q.key, 'hex'), ' ' ORDER BY q.key), ''), 0),
        '[' || coalesce(string_agg('"' || encode(q.key, 'hex') || '"', ',' ORDER BY q.key), '') || ']' INTO version, rows
      FROM (SELECT s.key FROM guard.state s WHERE s.repo = r AND s.key >= below AND s.key < till AND s.key > after
        AND s.ver >= since ORDER BY s.key LIMIT room) q;
    RETURN;
  END IF;
  -- A number may be drawn before that of a change that is seen already, so the newest number alone does not tell.
  SELECT count(*) || ':' || coalesce(max(q.ver), 0) || ':' || coalesce(bit_xor(hashtextextended(encode(q.key, 'hex'), q.ver)), 0),
      '[' || coalesce(string_agg('["' || encode(q.key, 'hex') || '",' || q.state || ']', ',' ORDER BY q.key), '') || ']'
    INTO version, rows
    FROM (SELECT s.key, s.ver, s.state FROM guard.state s WHERE s.repo = r AND s.key >= below AND s.key < till AND s.ver >= since
      ORDER BY CASE WHEN room IS NULL THEN 0 ELSE -s.ver END, s.key LIMIT room) q;
END $$;

CREATE FUNCTION guard.look_at(p guard.repository, keys bytea[], below bytea[], since bigint[], most int[], after bytea[])
RETURNS text LANGUAGE plpgsql AS $$
DECLARE tip bigint := greatest(guard.settled(p) + 1, p.epoch_lsn); answer text;
BEGIN
  -- One statement, one moment.
  SELECT '{"tip":' || tip || ',"top":' || coalesce(t.lsn, 0) || ',"now":' || greatest(guard.clock_ms(), coalesce(t.at_ms, 0))
      || ',"born":' || p.epoch_ms || ',"epoch":' || to_json(p.epoch)
      || ',"states":[' || (SELECT coalesce(string_agg('[' || coalesce(s.ver, 0) || ',' || coalesce(s.state, 'null') || ']', ',' ORDER BY k.n), '')
        FROM unnest(keys) WITH ORDINALITY k(key, n) LEFT JOIN LATERAL (
          SELECT q.ver, q.state FROM guard.state q WHERE q.repo = p.repo AND q.key = k.key OFFSET 0) s ON true)
      || '],"lists":[' || (SELECT coalesce(string_agg('{"version":' || to_json(l.version) || ',"rows":' || l.rows || '}', ',' ORDER BY u.n), '')
        FROM unnest(below, since, most, after) WITH ORDINALITY u(b, s, m, a, n), LATERAL guard.listed(p.repo, u.b, u.s, u.m, u.a) l)
      || ']}'
    INTO answer
    FROM (SELECT 1) one LEFT JOIN LATERAL (SELECT l.lsn, l.at_ms FROM guard.log l
      WHERE l.repo = p.repo AND l.lsn >= p.epoch_lsn ORDER BY l.lsn DESC LIMIT 1) t ON true;
  RETURN answer;
END $$;

CREATE FUNCTION guard.look_1(id uuid, keys bytea[], below bytea[], since bigint[], most int[], after bytea[])
RETURNS text LANGUAGE plpgsql ${AS_OWNER} AS $$
BEGIN
  RETURN guard.look_at(guard.enter(id), keys, below, since, most, after);
END $$;

CREATE FUNCTION guard.scan_1(id uuid, from_lsn bigint, most int) RETURNS text
LANGUAGE plpgsql ${AS_OWNER} AS $$
DECLARE p guard.repository := guard.enter(id); till bigint := guard.settled(p);
BEGIN
  RETURN (SELECT '{"top":' || coalesce((SELECT max(l.lsn) FROM guard.log l WHERE l.repo = p.repo), 0) || ',"rows":['
    || coalesce(string_agg('[' || q.lsn || ',' || q.ts_ms || ',' || q.more || ',' || q.body || ']', ',' ORDER BY q.lsn), '') || ']}'
    FROM (SELECT l.* FROM guard.log l WHERE l.repo = p.repo AND l.lsn >= from_lsn AND l.lsn <= till ORDER BY l.lsn LIMIT most) q);
END $$;

CREATE FUNCTION guard.follow_1(id uuid, for_ms int) RETURNS void
LANGUAGE plpgsql ${AS_OWNER} AS $$
DECLARE p guard.repository := guard.enter(id); till bigint := guard.clock_ms() + least(for_ms, 60000);
BEGIN
  -- Of many that follow only some write.
  UPDATE guard.repository q SET followed_ms = till WHERE q.repo = p.repo AND q.followed_ms < till - least(for_ms, 60000) / 2;
END $$;

CREATE FUNCTION guard.hello_1(id uuid) RETURNS json
LANGUAGE plpgsql ${AS_OWNER} AS $$
DECLARE p guard.repository := guard.enter(id);
BEGIN
  RETURN json_build_object('schema', (SELECT max(v.version) FROM guard.schema_version v), 'repo', p.repo, 'epoch', p.epoch,
    'server', current_setting('server_version_num')::int, 'channel', 'guard_' || p.repo);
END $$;
`;
