import type { RunContext } from '../operations/operation.ts';
import { SERVER_SIGNALS, untilStopped } from './until-stopped.ts';

/** What a person sees of a wait, and how it ends: signals end the wait instead of the process, so that the ledger records it. */
export interface Screen extends Pick<RunContext, 'onWaiting' | 'onProgress' | 'onDrafted'> {
  readonly signals?: readonly NodeJS.Signals[];
  readonly close?: () => void | Promise<void>;
}

export async function followed<R>(
  screen: Screen,
  run: (signal: AbortSignal, screen: Screen) => R | Promise<R>,
): Promise<R> {
  try {
    return await untilStopped(async (signal) => run(signal, screen), screen.signals ?? SERVER_SIGNALS);
  } finally {
    await screen.close?.();
  }
}
