/** The server's answer to a question. Asks again when the question or the version changes, but not more often than is useful. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageServer } from './server.ts';
import type { Answers } from './wire.ts';

type Query = Readonly<Record<string, string | number | undefined>>;

const REST_MS = 400;

/** @param path `null` to ask nothing. @returns null until the first answer; then the latest one */
export function useAnswer<P extends keyof Answers>(
  server: PageServer,
  path: P | null,
  query: Query,
  version = 0,
): Answers[P] | null {
  const [answer, setAnswer] = useState<{ readonly path: string; readonly value: Answers[P] } | null>(null);
  const asked = useRef({ question: '', at: 0 });
  const question = `${path ?? ''}?${JSON.stringify(query)}`;
  useEffect(() => {
    if (path === null) return undefined;
    let is_wanted = true;
    // A new question is asked right away; the same one again only after a rest.
    const isSame = asked.current.question === question;
    const timer = setTimeout(
      () => {
        asked.current = { question, at: version };
        server.get(path, query).then(
          (value) => is_wanted && setAnswer({ path, value }),
          () => undefined,
        );
      },
      isSame ? REST_MS : 30,
    );
    return () => {
      is_wanted = false;
      clearTimeout(timer);
    };
  }, [server, question, version]);
  return answer !== null && answer.path === path ? answer.value : null;
}
