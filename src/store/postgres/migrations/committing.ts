/**
 * Version 1: committing. A commit locks, checks, draws a number, then writes. Locks are advisory, end with the
 * transaction, and are taken in the order of their hashes: exclusive for what is written, shared for what was only
 * read. A listing locks out writers in its class (a key's text up to the first colon). For very many keys, and for a
 * listing across classes, the whole repository is locked, because the server has room for a few thousand locks. Hashes
 * are salted because pg_locks is public.
 */
import { AS_OWNER } from './as-owner.ts';

export const COMMITTING = `
CREATE FUNCTION guard.class_of(key bytea) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT substring(key FROM 1 FOR position('\\x3a'::bytea IN key))
$$;

CREATE FUNCTION guard.keep_out(p guard.repository, written bytea[], read bytea[], below bytea[], names text[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE whole bigint := hashtextextended('r', p.salt);
BEGIN
  IF cardinality(written) + cardinality(read) > 256 OR EXISTS (SELECT FROM unnest(below) b WHERE length(guard.class_of(b)) = 0) THEN
    PERFORM pg_advisory_xact_lock(whole);
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock_shared(whole);
  PERFORM CASE WHEN o.x THEN pg_advisory_xact_lock(o.h) ELSE pg_advisory_xact_lock_shared(o.h) END FROM (
    SELECT q.h, bool_or(q.x) AS x FROM (
      SELECT hashtextextended('k' || encode(k, 'hex'), p.salt) AS h, true AS x FROM unnest(written) k
      UNION ALL SELECT hashtextextended('k' || encode(k, 'hex'), p.salt), false FROM unnest(read) k
      UNION ALL SELECT hashtextextended('c' || encode(guard.class_of(k), 'hex'), p.salt), false FROM unnest(written) k
      UNION ALL SELECT hashtextextended('c' || encode(guard.class_of(b), 'hex'), p.salt), true FROM unnest(below) b
      UNION ALL SELECT hashtextextended('n' || n, p.salt), true FROM unnest(names) n
    ) q GROUP BY q.h ORDER BY q.h OFFSET 0) o;
END $$;

-- Draws so many numbers, in the order of transaction ids and of times. The lock is let go at once, not with the transaction:
-- it belongs to a subtransaction that is rolled back, which numbers, ids and variables outlast.
CREATE FUNCTION guard.draw(p guard.repository, span int, not_before bigint, OUT lsn bigint, OUT at_ms bigint)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('d', p.salt));
  PERFORM pg_current_xact_id();
  at_ms := greatest(guard.clock_ms(), not_before);
  lsn := nextval(p.numbers);
  IF span > 1 THEN PERFORM setval(p.numbers, lsn + span - 1); END IF;
  RAISE EXCEPTION USING ERRCODE = 'GD001';
EXCEPTION WHEN SQLSTATE 'GD001' THEN
  NULL;
END $$;

-- items: the state of each written key ('' removes it), then the body of each record; numbers that are not known yet are cut out of
-- them: between pieces. A key may end with such a number (open_at). rec_at: which record of the commit wrote the key.
CREATE FUNCTION guard.commit_1(id uuid, nonce uuid, seen bigint, tip bigint, read_keys bytea[], read_vers bigint[],
  below bytea[], since bigint[], most int[], after bytea[], versions text[], agents bytea[], ids bytea[],
  written bytea[], open_at int[], rec_at int[], stamps bigint[], pieces text[], gaps int[], span int, wake boolean,
  OUT verdict text, OUT lsn bigint, OUT look text)
LANGUAGE plpgsql ${AS_OWNER} SET lock_timeout = '4s' AS $$
DECLARE
  p guard.repository := guard.enter(id); items text[]; at bigint; last_ms bigint;
  names text[] := array_append(ARRAY(SELECT encode(u.a, 'hex') || ' ' || encode(u.i, 'hex') FROM unnest(agents, ids) u(a, i)), nonce::text);
  n int := cardinality(written); m int := cardinality(stamps);
BEGIN
  IF pg_current_xact_id_if_assigned() IS NOT NULL THEN
    RAISE EXCEPTION 'a commit is a transaction of its own' USING ERRCODE = 'GD409';
  END IF;
  IF current_setting('synchronous_commit') IN ('off', 'local', 'remote_write') THEN PERFORM set_config('synchronous_commit', 'on', true); END IF;
  PERFORM guard.keep_out(p, ARRAY(SELECT u.k FROM unnest(written, open_at) u(k, o) WHERE u.o IS NULL), read_keys, below, names);

  SELECT 'repeated', min(q.lsn) INTO verdict, lsn FROM (
    SELECT l.lsn FROM guard.log l WHERE l.repo = p.repo AND l.lsn > seen AND l.nonce = commit_1.nonce
    UNION ALL SELECT o.lsn FROM unnest(agents, ids) u(a, i), LATERAL (
      SELECT k.lsn FROM guard.known k WHERE k.repo = p.repo AND k.agent = u.a AND k.id = u.i OFFSET 0) o) q;
  IF lsn IS NOT NULL THEN
    -- It may be here and not on the standby: whoever waited for that died with the server. Something is written, so that this waits for both.
    PERFORM pg_logical_emit_message(true, 'guard', '');
    RETURN;
  END IF;

  -- Only now nobody can begin another epoch (guard.new_epoch_1). What was judged by the clock of a former one is judged anew.
  SELECT q.* INTO p FROM guard.repository q WHERE q.repo = p.repo;
  IF p.closed_ms > guard.clock_ms() THEN
    RAISE EXCEPTION 'nothing is written for % s yet', ceil((p.closed_ms - guard.clock_ms()) / 1000.0) USING ERRCODE = 'GD503';
  END IF;
  IF tip < p.epoch_lsn OR EXISTS (SELECT FROM unnest(read_keys, read_vers) u(k, v) LEFT JOIN LATERAL (
      SELECT q.ver FROM guard.state q WHERE q.repo = p.repo AND q.key = u.k OFFSET 0) s ON true WHERE coalesce(s.ver, 0) <> u.v)
    OR cardinality(below) > 0 AND EXISTS (SELECT FROM unnest(below, since, most, after, versions) u(b, s, m, a, v), LATERAL guard.listed(p.repo, u.b, u.s, u.m, u.a) l
      WHERE l.version <> u.v) THEN
    verdict := 'moved';
    look := guard.look_at(p, read_keys, below, since, most, after);
    RETURN;
  END IF;

  SELECT l.at_ms INTO last_ms FROM guard.log l WHERE l.repo = p.repo AND l.lsn >= p.epoch_lsn ORDER BY l.lsn DESC LIMIT 1;
  SELECT d.lsn, d.at_ms INTO lsn, at FROM guard.draw(p, greatest(span, m), coalesce(last_ms, 0)) d;
  items := string_to_array((SELECT string_agg(u.piece || coalesce((lsn + u.gap)::text, ''), '' ORDER BY u.o)
    FROM unnest(pieces, gaps) WITH ORDINALITY u(piece, gap, o)), E'\\x1f');

  INSERT INTO guard.state AS s (repo, key, ver, state)
    SELECT p.repo, u.k || coalesce(convert_to((lsn + u.o)::text, 'UTF8'), ''::bytea), lsn + u.r, u.state
      FROM unnest(written, open_at, rec_at, items[1:n]) u(k, o, r, state) WHERE u.state <> ''
    ON CONFLICT (repo, key) DO UPDATE SET ver = excluded.ver, state = excluded.state;
  IF '' = ANY (items[1:n]) THEN
    DELETE FROM guard.state s WHERE s.repo = p.repo
      AND s.key = ANY (ARRAY(SELECT u.k FROM unnest(written, items[1:n]) u(k, state) WHERE u.state = ''));
  END IF;
  INSERT INTO guard.log (repo, lsn, xid, at_ms, ts_ms, more, nonce, body)
    SELECT p.repo, commit_1.lsn + u.o - 1, pg_current_xact_id(), at, coalesce(u.stamp, at), m - u.o, commit_1.nonce, u.body
      FROM unnest(stamps, items[n + 1:n + m]) WITH ORDINALITY u(stamp, body, o);
  -- The oldest records go, some at a time.
  IF random() < 0.002 THEN
    DELETE FROM guard.log l WHERE l.repo = p.repo AND l.at_ms < at - p.keep_ms AND l.lsn = ANY (ARRAY(
      SELECT o.lsn FROM guard.log o WHERE o.repo = p.repo ORDER BY o.lsn LIMIT 2000));
  END IF;
  IF cardinality(ids) > 0 THEN
    INSERT INTO guard.known (repo, agent, id, lsn) SELECT p.repo, u.a, u.i, commit_1.lsn FROM unnest(agents, ids) u(a, i);
    -- The last 64 of an agent count; they are looked through now and then.
    IF random() < 0.03 THEN
      DELETE FROM guard.known k USING (SELECT DISTINCT u.a FROM unnest(agents) u(a)) o WHERE k.repo = p.repo AND k.agent = o.a
        AND k.lsn < (SELECT b.lsn FROM guard.known b WHERE b.repo = p.repo AND b.agent = o.a ORDER BY b.lsn DESC OFFSET 255 LIMIT 1);
    END IF;
  END IF;
  -- NOTIFY takes commits one by one. It tells who queues, and who follows the log after a silence: later ones are polled for.
  IF wake OR (p.followed_ms > at AND at - coalesce(last_ms, 0) >= 20) THEN
    PERFORM pg_notify('guard_' || p.repo, p.id || ' ' || lsn);
  END IF;
  verdict := 'done';
END $$;
`;
