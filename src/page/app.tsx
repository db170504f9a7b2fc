/** The page as a whole: connects, then shows the present, or the moment that its reader went to. */
import { useEffect, useState } from 'preact/hooks';
import { Dashboard } from './dashboard.tsx';
import { openServer, type PageServer, Unanswered } from './server.ts';
import type { Present } from './wire.ts';

interface Trouble {
  readonly message: string;
  readonly hint: string;
}

const AGAIN_MS = 2_000;

export function App() {
  const [server, setServer] = useState<PageServer | null>(null);
  const [present, setPresent] = useState<Present | null>(null);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  useEffect(() => {
    const end = new AbortController();
    void connect({ opened: setServer, heard: setPresent, failed: setTrouble }, end.signal);
    return () => end.abort();
  }, []);
  if (server !== null && present !== null)
    return <Dashboard server={server} present={present} isLive={trouble === null} />;
  return (
    <main class="alone">
      <h1>guard</h1>
      {trouble === null ? (
        <p role="status">Reading the ledger…</p>
      ) : (
        <p role="alert">
          {trouble.message} {trouble.hint}
        </p>
      )}
    </main>
  );
}

interface Ears {
  readonly opened: (server: PageServer) => void;
  readonly heard: (present: Present) => void;
  readonly failed: (trouble: Trouble | null) => void;
}

/** Reconnects when a stream ends, until the page is left. */
async function connect({ opened, heard, failed }: Ears, signal: AbortSignal): Promise<void> {
  for (let server: PageServer | null = null; !signal.aborted;) {
    try {
      server ??= await openServer();
      opened(server);
      await server.follow((data) => {
        failed(null);
        heard(JSON.parse(data) as Present);
      }, signal);
      failed({ message: 'The server ended.', hint: '' });
    } catch (error) {
      if (error instanceof Unanswered) failed({ message: error.message, hint: error.hint });
      else failed({ message: 'The server does not answer.', hint: 'Is "guard serve --ui" still running?' });
      if (server === null) return;
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
