/**
 * Version 2: a commit with fewer statements. It takes the same locks as version 1, with which it works side by
 * side, and checks the same, in one query. Numbers are put into the items where their marks are: between two U+001E, how
 * much to add to the first one.
 */
import { AS_OWNER } from './as-owner.ts';
import { entering } from './entering.ts';

export const COMMIT_2 = `
CREATE FUNCTION guard.commit_2(id uuid, nonce uuid, seen bigint, tip bigint, read_keys bytea[], read_vers bigint[],
  below bytea[], since bigint[], most int[], after bytea[], versions text[], agents bytea[], ids bytea[],
  written bytea[], open_at int[], rec_at int[], stamps bigint[], content text, gaps int[], span int, wake boolean,
  OUT verdict text, OUT lsn bigint, OUT look text)
LANGUAGE plpgsql ${AS_OWNER} SET lock_timeout = '4s' AS $$
DECLARE
  p guard.repository; items text[]; at bigint; last_ms bigint; is_new boolean; is_moved boolean; closed bigint; followed bigint; gap int;
  n int := cardinality(written); m int := cardinality(stamps);
BEGIN
  IF pg_current_xact_id_if_assigned() IS NOT NULL THEN
    RAISE EXCEPTION 'a commit is a transaction of its own' USING ERRCODE = 'GD409';
  END IF;
${entering('commit_2')}
  is_new := p.server <> pg_postmaster_start_time();
  IF is_new THEN p := guard.on_this_server(p); END IF;
  IF current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')
    AND set_config('synchronous_commit', 'on', true) IS NULL THEN END IF;

  IF n + cardinality(read_keys) > 256 OR cardinality(below) > 0 THEN
    PERFORM guard.keep_out(p, ARRAY(SELECT u.k FROM unnest(written, open_at) u(k, o) WHERE u.o IS NULL), read_keys, below,
      array_append(ARRAY(SELECT encode(u.a, 'hex') || ' ' || encode(u.i, 'hex') FROM unnest(agents, ids) u(a, i)), nonce::text));
  ELSE
    -- The locks of guard.keep_out for a commit without listings.
    IF pg_advisory_xact_lock_shared(hashtextextended('r', p.salt)) IS NULL THEN END IF;
    PERFORM CASE WHEN o.x THEN pg_advisory_xact_lock(o.h) ELSE pg_advisory_xact_lock_shared(o.h) END FROM (
      SELECT q.h, bool_or(q.x) AS x FROM (
        SELECT hashtextextended('k' || encode(u.k, 'hex'), p.salt) AS h, true AS x FROM unnest(written, open_at) u(k, o) WHERE u.o IS NULL
        UNION ALL SELECT hashtextextended('k' || encode(k, 'hex'), p.salt), false FROM unnest(read_keys) k
        UNION ALL SELECT hashtextextended('c' || encode(guard.class_of(u.k), 'hex'), p.salt), false FROM unnest(written, open_at) u(k, o) WHERE u.o IS NULL
        UNION ALL SELECT hashtextextended('n' || encode(u.a, 'hex') || ' ' || encode(u.i, 'hex'), p.salt), true FROM unnest(agents, ids) u(a, i)
        UNION ALL SELECT hashtextextended('n' || nonce::text, p.salt), true
      ) q GROUP BY q.h ORDER BY q.h OFFSET 0) o;
  END IF;

  -- Only now nobody can begin another epoch (guard.new_epoch_1). What was judged by the clock of a former one is judged anew.
  SELECT (SELECT min(l.lsn) FROM guard.log l WHERE l.repo = p.repo AND l.lsn > seen AND l.nonce = commit_2.nonce),
      q.closed_ms, q.followed_ms, tip < q.epoch_lsn OR EXISTS (SELECT FROM unnest(read_keys, read_vers) u(k, v) LEFT JOIN LATERAL (
        SELECT q.ver FROM guard.state q WHERE q.repo = p.repo AND q.key = u.k OFFSET 0) s ON true WHERE coalesce(s.ver, 0) <> u.v),
      (SELECT l.at_ms FROM guard.log l WHERE l.repo = p.repo AND l.lsn >= q.epoch_lsn ORDER BY l.lsn DESC LIMIT 1)
    INTO lsn, closed, followed, is_moved, last_ms
    FROM guard.repository q WHERE q.repo = p.repo;
  IF cardinality(agents) > 0 THEN
    lsn := least(lsn, (SELECT min(o.lsn) FROM unnest(agents, ids) u(a, i), LATERAL (
      SELECT k.lsn FROM guard.known k WHERE k.repo = p.repo AND k.agent = u.a AND k.id = u.i OFFSET 0) o));
  END IF;
  IF lsn IS NOT NULL THEN
    verdict := 'repeated';
    -- It may be here and not on the standby: whoever waited for that died with the server. Something is written, so that this waits for both.
    PERFORM pg_logical_emit_message(true, 'guard', '');
    RETURN;
  END IF;
  IF closed > guard.clock_ms() THEN
    RAISE EXCEPTION 'nothing is written for % s yet', ceil((closed - guard.clock_ms()) / 1000.0) USING ERRCODE = 'GD503';
  END IF;
  -- What was judged by the clock of another server is judged anew.
  IF is_new OR is_moved OR cardinality(below) > 0 AND EXISTS (SELECT FROM unnest(below, since, most, after, versions) u(b, s, m, a, v),
      LATERAL guard.listed(p.repo, u.b, u.s, u.m, u.a) l WHERE l.version <> u.v) THEN
    verdict := 'moved';
    -- No one has to wait for a standby to have the moved clock.
    IF is_new THEN PERFORM set_config('synchronous_commit', 'local', true); END IF;
    SELECT q.* INTO p FROM guard.repository q WHERE q.repo = p.repo;
    look := guard.look_at(p, read_keys, below, since, most, after);
    RETURN;
  END IF;

  -- Draws the numbers as guard.draw does.
  BEGIN
    IF pg_advisory_xact_lock(hashtextextended('d', p.salt)) IS NULL THEN END IF;
    IF pg_current_xact_id() IS NULL THEN END IF;
    at := greatest(guard.clock_ms(), last_ms);
    lsn := nextval(p.numbers);
    IF greatest(span, m) > 1 AND setval(p.numbers, lsn + greatest(span, m) - 1) IS NULL THEN END IF;
    RAISE EXCEPTION USING ERRCODE = 'GD001';
  EXCEPTION WHEN SQLSTATE 'GD001' THEN
    NULL;
  END;
  IF cardinality(gaps) > 8 THEN
    content := (SELECT string_agg(CASE WHEN u.o % 2 = 0 THEN (lsn + u.x::int)::text ELSE u.x END, '' ORDER BY u.o)
      FROM unnest(string_to_array(content, E'\\x1e')) WITH ORDINALITY u(x, o));
  ELSE
    FOREACH gap IN ARRAY gaps LOOP
      content := replace(content, E'\\x1e' || gap || E'\\x1e', (lsn + gap)::text);
    END LOOP;
  END IF;
  items := string_to_array(content, E'\\x1f');

  INSERT INTO guard.state AS s (repo, key, ver, state)
    SELECT p.repo, u.k || coalesce(convert_to((lsn + u.o)::text, 'UTF8'), ''::bytea), lsn + u.r, u.state
      FROM unnest(written, open_at, rec_at, items[1:n]) u(k, o, r, state) WHERE u.state <> ''
    ON CONFLICT (repo, key) DO UPDATE SET ver = excluded.ver, state = excluded.state;
  IF '' = ANY (items[1:n]) THEN
    DELETE FROM guard.state s WHERE s.repo = p.repo
      AND s.key = ANY (ARRAY(SELECT u.k FROM unnest(written, items[1:n]) u(k, state) WHERE u.state = ''));
  END IF;
  INSERT INTO guard.log (repo, lsn, xid, at_ms, ts_ms, more, nonce, body)
    SELECT p.repo, commit_2.lsn + u.o - 1, pg_current_xact_id(), at, coalesce(u.stamp, at), m - u.o, commit_2.nonce, u.body
      FROM unnest(stamps, items[n + 1:n + m]) WITH ORDINALITY u(stamp, body, o);
  -- The oldest records go, some at a time.
  IF random() < 0.002 THEN
    DELETE FROM guard.log l WHERE l.repo = p.repo AND l.at_ms < at - p.keep_ms AND l.lsn = ANY (ARRAY(
      SELECT o.lsn FROM guard.log o WHERE o.repo = p.repo ORDER BY o.lsn LIMIT 2000));
  END IF;
  IF cardinality(ids) > 0 THEN
    INSERT INTO guard.known (repo, agent, id, lsn) SELECT p.repo, u.a, u.i, commit_2.lsn FROM unnest(agents, ids) u(a, i);
    -- The last 64 of an agent count; they are looked through now and then.
    IF random() < 0.03 THEN
      DELETE FROM guard.known k USING (SELECT DISTINCT u.a FROM unnest(agents) u(a)) o WHERE k.repo = p.repo AND k.agent = o.a
        AND k.lsn < (SELECT b.lsn FROM guard.known b WHERE b.repo = p.repo AND b.agent = o.a ORDER BY b.lsn DESC OFFSET 255 LIMIT 1);
    END IF;
  END IF;
  -- NOTIFY takes commits one by one. It tells who queues, and who follows the log after a silence: later ones are polled for.
  -- Whoever waits follows; wake is null for an end that may matter to them.
  IF wake OR followed > at AND (wake IS NULL OR at - coalesce(last_ms, 0) >= 20) THEN
    PERFORM pg_notify('guard_' || p.repo, p.id || ' ' || lsn);
  END IF;
  verdict := 'done';
END $$;
REVOKE ALL ON FUNCTION guard.look_2, guard.commit_2 FROM PUBLIC;
GRANT EXECUTE ON FUNCTION guard.look_2, guard.commit_2 TO guard_agent;
`;
