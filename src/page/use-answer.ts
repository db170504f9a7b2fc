/** What the server answers to a question, asked again when the question or the version changes, and no oftener than it helps. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageServer } from './server.ts';
import type { Answers } from './wire.ts';

type Query = Readonly<Record<string, string | number | undefined>>;

const REST_MS = 400;

/** @param path null: nothing is asked. @returns null until there is an answer; then the last one, until there is another */
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
    // A question is asked at once; the same one again after a rest.
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
