/** The server's answer to a question. Asks again when the question or the version changes, but not more often than is useful. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Questioner, openQuestioner, type Query } from './questioner.ts';
import type { PageServer } from './server.ts';
import type { Answers } from './wire.ts';

/**
 * An answer that took so long that another question followed is returned until that one is answered: an old figure is
 * better than none.
 * @param path `null` to ask nothing. @returns null until the first answer; then the latest one
 */
export function useAnswer<P extends keyof Answers>(
  server: PageServer,
  path: P | null,
  query: Query,
  version = 0,
): Answers[P] | null {
  const [answer, setAnswer] = useState<Answers[P] | null>(null);
  const questioner = useRef<Questioner | null>(null);
  useEffect(() => {
    if (path === null) return undefined;
    const opened = openQuestioner((asked) => server.get(path, asked), setAnswer);
    questioner.current = opened;
    return () => {
      opened.end();
      setAnswer(null);
    };
  }, [server, path]);
  const question = JSON.stringify(query);
  useEffect(() => {
    if (path !== null) questioner.current?.ask(query);
  }, [server, path, question, version]);
  return path === null ? null : answer;
}
