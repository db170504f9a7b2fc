/**
 * Version 2: a look that follows references, so that a refusal needs one round trip instead of three (who has the file,
 * are they alive, is their machine up). Where a state contains a mark, the text after it up to the next quote is the rest
 * of a key of that class, whose state is included too. A wrong guess costs time only: what is read is checked by version.
 * The query is that of version 1 except that the settled end of the log is taken from the same moment as the states.
 */
import { AS_OWNER } from './as-owner.ts';
import { entering } from './entering.ts';

export const LOOK_2 = `
CREATE FUNCTION guard.look_2(id uuid, keys bytea[], below bytea[], since bigint[], most int[], after bytea[], marks text[], classes text[])
RETURNS text LANGUAGE plpgsql ${AS_OWNER} AS $$
DECLARE p guard.repository; asked bytea[] := keys; more bytea[]; answer text; is_settled boolean; hops int := 0; known int := cardinality(keys);
BEGIN
${entering('look_2')}
  IF p.server <> pg_postmaster_start_time() THEN p := guard.on_this_server(p); END IF;
  LOOP
    -- One statement, one moment.
    SELECT coalesce(t.xid < pg_snapshot_xmin(pg_current_snapshot()), true),
        '{"tip":' || greatest(coalesce(t.lsn, 0) + 1, p.epoch_lsn) || ',"top":' || coalesce(t.lsn, 0)
        || ',"now":' || greatest(guard.clock_ms(), coalesce(t.at_ms, 0)) || ',"born":' || p.epoch_ms || ',"epoch":' || to_json(p.epoch)
        || ',"states":[' || (SELECT coalesce(string_agg('[' || coalesce(s.ver, 0) || ',' || coalesce(s.state, 'null') || ']', ',' ORDER BY k.n), '')
          FROM unnest(asked) WITH ORDINALITY k(key, n) LEFT JOIN LATERAL (
            SELECT q.ver, q.state FROM guard.state q WHERE q.repo = p.repo AND q.key = k.key OFFSET 0) s ON true)
        || CASE WHEN cardinality(below) = 0 THEN '],"lists":[]' ELSE
          '],"lists":[' || (SELECT coalesce(string_agg('{"version":' || to_json(l.version) || ',"rows":' || l.rows || '}', ',' ORDER BY u.n), '')
            FROM unnest(below, since, most, after) WITH ORDINALITY u(b, s, m, a, n), LATERAL guard.listed(p.repo, u.b, u.s, u.m, u.a) l) || ']' END
      INTO is_settled, answer
      FROM (SELECT 1) one LEFT JOIN LATERAL (SELECT l.lsn, l.xid, l.at_ms FROM guard.log l
        WHERE l.repo = p.repo AND l.lsn >= p.epoch_lsn ORDER BY l.lsn DESC LIMIT 1) t ON true;
    EXIT WHEN hops = cardinality(marks);
    hops := hops + 1;
    more := ARRAY(SELECT DISTINCT k FROM unnest(marks, classes) u(m, c), unnest((string_to_array(answer, u.m))[2:17]) piece,
      convert_to(u.c || split_part(piece, '"', 1), 'UTF8') k WHERE k <> ALL (asked));
    EXIT WHEN cardinality(more) = 0;
    asked := asked || more;
  END LOOP;
  IF NOT is_settled THEN
    -- Somebody may still commit a smaller number, which takes more than the log to find out.
    answer := rtrim(guard.look_at(p, asked, below, since, most, after), '}');
  END IF;
  RETURN answer || CASE WHEN cardinality(asked) = known THEN '}' ELSE
    ',"more":' || array_to_json(ARRAY(SELECT encode(k, 'hex') FROM unnest(asked[known + 1:]) k)) || '}' END;
END $$;
`;
