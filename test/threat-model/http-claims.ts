/** The claims of the section on the HTTP interface. */
import type { Claim } from './claim.ts';

export const HTTP_CLAIMS: Readonly<Record<string, Claim>> = {
  'HTTP is as strong as the files': {
    under: 'The HTTP interface',
    says: [
      'does what its clients ask, under the rules of the ledger',
      'Every program of this user can open its socket and read its token',
    ],
  },
  'another user connects': {
    attempt: 'another user connects',
    says: [
      'the socket has mode 0600, in a directory that others cannot change; TCP requires a token of 256 random bits that only the user can read (with `--no-token`, any user of the machine may call)',
    ],
  },
  'a web page sends requests': {
    attempt:
      'a web page sends requests, with forms, with `fetch`, or under a name that now points at 127.0.0.1',
    says: [
      'anything with `Origin`, or with a `Sec-Fetch-Site` other than `none`; a `Host` that is not ours; or a body that is not `application/json`',
      'No answer has a CORS header',
    ],
  },
  'an agent calls the server in the name of another': {
    attempt: 'an agent in a session calls it from Bash and names another session, a subagent, or a person',
    says: [
      'refused (`SPEAKS_FOR_ITSELF`), unless a person started the server with `--sessions`',
      'Starting a second server with that option is as hard for the agent as clearing its environment, and as visible',
    ],
  },
  'a client of the server takes the id of a session': {
    attempt:
      'it uses the id of a session that does not exist yet, or the id of an existing one in different case',
    says: [
      'refused: `claude-…` in any case is reserved for sessions, and no new client gets a name that differs from an existing one only in case',
    ],
  },
  'a client of the server takes any name': {
    attempt: 'it uses a name of its choice, or that of another HTTP client',
    says: ['**not prevented**', 'HTTP clients trust each other; the ledger records each name'],
  },
  'another machine connects': {
    attempt: 'another machine connects',
    says: ['guard can listen only on loopback'],
  },
  'requests are huge, malformed, slow, or too many': {
    attempt: 'requests that are huge, malformed or slow, or thousands at once',
    says: [
      'limited to 128 KiB of body, 8 KiB of headers, 10 s for headers, 15 s for a request, and 256 connections each on the socket and TCP; over TCP, 64 more are accepted without the token, with 2 s for their headers. What exceeds a limit is refused or cut off, and other requests are served as usual',
    ],
  },
  'a socket or token file is there before guard': {
    attempt: 'someone creates a socket or a token file before guard does',
    says: ['refused if it belongs to another user, or can be read by others'],
  },
  'two servers meet': {
    attempt: 'two servers start at once, or one finds the socket of another',
    says: ['flock(2) on `<socket>.lock` decides; what a dead server left behind is replaced'],
  },
  'somebody else opens the page': {
    attempt:
      'someone else opens the page of `guard serve --ui`: another user, another web page, an agent, or whoever finds an address that was used',
    says: [
      'refused. An address works once, for one tab, and its part after `#` is sent to no server',
      'Every request needs the session that the address gave to the page, and has to come from the page itself (`Host`, `Origin`, `Sec-Fetch-Site`)',
      'The token of the HTTP interface does not open it, and its session opens nothing of the HTTP interface',
      'Agents in a session cannot start it',
      'A program of this user that reads the terminal gets the address; it could read the ledger as well',
    ],
  },
  'the page shows what others wrote': {
    attempt:
      "what agents wrote, or a file's name or content, is markup or a script, and is shown in the page",
    says: [
      'it is shown as text',
      'The page loads nothing from anywhere, runs no script but its own (its policy names it by digest), and cannot be put into a frame',
      'Content is shown only if its SHA-256, computed in the page, is that in the ledger',
    ],
  },
};
