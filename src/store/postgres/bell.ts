/**
 * One LISTEN for all waiting processes of a machine: the first of them listens, and passes each notification on to the
 * others over a Unix socket. When it ends, one of the others takes its place. Polling covers what is missed meanwhile.
 */
import { renameSync, statSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { threadId } from 'node:worker_threads';
import { attempt } from '../../core/attempt.ts';
import type { Closable } from './listening.ts';

/** So that not all of them become the next host. */
const SCATTER_MS = 60;
/** Interval for checking that no other process became host at the same moment. */
const CHECK_MS = 500;

const inodeOf = (path: string): number | undefined =>
  attempt(() => statSync(path, { throwIfNoEntry: false })?.ino, undefined);

/** @param listen opens the connection itself */
export function openBell(path: string, ring: () => void, listen: (ring: () => void) => Closable): Closable {
  let isOver = false;
  let leave = (): void => undefined;
  const later = (ms: number, step: () => void): void => {
    const timer = setTimeout(step, ms);
    leave = () => clearTimeout(timer);
  };
  function visit(): void {
    const host = connect(path);
    let isHeard = false;
    leave = () => host.destroy();
    host.on('connect', () => {
      isHeard = true;
      ring();
    });
    host.on('data', ring);
    host.on('error', () => undefined);
    host.on('close', () => {
      if (isOver) return;
      if (isHeard) later(Math.random() * SCATTER_MS, visit);
      else beHost();
    });
  }
  function beHost(): void {
    const guests = new Set<Socket>();
    const listening = listen(() => {
      ring();
      for (const guest of guests) guest.write('.');
    });
    const server = createServer((guest) => {
      guests.add(guest);
      guest.on('error', () => undefined);
      guest.on('close', () => guests.delete(guest));
      guest.resume();
    });
    let own: number | undefined;
    const aside = `${path}.${process.pid.toString(36)}.${threadId.toString(36)}`;
    const check = setInterval(() => {
      // The later one stays.
      if (own === undefined || inodeOf(path) === own) return;
      end();
      visit();
    }, CHECK_MS);
    const end = (): void => {
      clearInterval(check);
      listening.close();
      server.close();
      for (const guest of guests) guest.destroy();
      if (own !== undefined && inodeOf(path) === own) attempt(() => unlinkSync(path), undefined);
    };
    leave = end;
    // Without a socket it listens for itself alone.
    server.on('error', () => undefined);
    server.listen(aside, () => {
      const inode = inodeOf(aside);
      if (attempt(() => (renameSync(aside, path), true), false)) own = inode;
      else attempt(() => unlinkSync(aside), undefined);
    });
  }
  visit();
  return {
    close() {
      isOver = true;
      leave();
    },
  };
}
