/** The claims of the section on the HTTP interface. */
import type { Claim } from './claim.ts';

export const HTTP_CLAIMS: Readonly<Record<string, Claim>> = {
  'HTTP is as strong as the files': {
    under: 'The HTTP interface',
    says: [
      'does what its clients ask, by the rules of the ledger',
      'Every program of this user can open its socket and read its token',
    ],
  },
  'another user connects': {
    attempt: 'another user connects',
    says: [
      'the socket is mode 0600 in a directory that others cannot change; TCP asks for a token of 256 random bits that only the user can read (with `--no-token` every user of the machine may call)',
    ],
  },
  'a web page sends requests': {
    attempt:
      'a web page sends requests, with forms, with `fetch`, or under a name that now points at 127.0.0.1',
    says: [
      'anything with `Origin`, or with a `Sec-Fetch-Site` other than `none`; a `Host` that is not ours; a body that is not `application/json`',
      'No answer has a CORS header',
    ],
  },
  'an agent calls the server in the name of another': {
    attempt: 'an agent in a session calls it from Bash and names another session, a subagent, or a person',
    says: [
      'refused (`SPEAKS_FOR_ITSELF`), unless a person started the server with `--sessions`',
      'Starting a second server with that option is as hard for it as clearing its environment, and as visible',
    ],
  },
  'a client of the server takes the id of a session': {
    attempt: 'it takes the id of a session that does not exist yet, or of one in another case',
    says: [
      'refused: `claude-…` in any case is for sessions, and nobody new is called as somebody else in another case',
    ],
  },
  'a client of the server takes any name': {
    attempt: 'it takes a name of its own, or that of another HTTP client',
    says: ['**not prevented**', 'HTTP clients trust each other; the ledger records each name'],
  },
  'another machine connects': {
    attempt: 'another machine connects',
    says: ['there is no way to listen on anything but loopback'],
  },
  'requests are huge, malformed, slow, or too many': {
    attempt: 'requests that are huge, malformed, slow, or thousands at once',
    says: [
      '128 KiB of body, 8 KiB of headers, 10 s for headers, 15 s for a request, 256 connections for each way in, and over TCP 64 more without the token, which have 2 s for their headers; refused or cut off, and the others go on',
    ],
  },
  'a socket or token file is there before guard': {
    attempt: 'somebody puts a socket or a token file in place before guard does',
    says: ["refused where it is not this user's, or can be read by others"],
  },
  'two servers meet': {
    attempt: 'two servers start at once, or one finds the socket of another',
    says: ['flock(2) on `<socket>.lock` decides; what a dead server left is replaced'],
  },
};
