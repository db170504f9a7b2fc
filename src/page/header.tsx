import { amountOf } from './words.ts';
import { ThemeSwitch } from './theme.tsx';
import type { Present, ShownScene } from './wire.ts';

interface Heading {
  readonly present: Present;
  readonly scene: ShownScene;
  readonly isLive: boolean;
  readonly isPast: boolean;
}

export function PageHeader({ present, scene, isLive, isPast }: Heading) {
  const { repository } = present.status;
  const parts = repository.split('/');
  const waiting = new Set(scene.waits.filter(({ kind }) => kind === 'wait').map(({ from }) => from)).size;
  const deadlocks = scene.cycles.filter(({ kind }) => kind === 'deadlock').length;
  return (
    <header class="head">
      <div class="title">
        <h1>
          <span class="dim">guard</span> {parts.at(-1)}
        </h1>
        <p class="dim path">{repository}</p>
      </div>
      <ul class="sums" aria-label="At a glance">
        <li>{amountOf(scene.agents.length, 'agent')}</li>
        <li>{amountOf(scene.leases.length, 'lock')}</li>
        <li class={waiting > 0 ? 'warn' : ''}>{waiting} waiting</li>
        <li class={deadlocks > 0 ? 'bad' : ''}>{amountOf(deadlocks, 'deadlock')}</li>
        {present.read_percent === 100 && <li>{amountOf(present.count, 'record')}</li>}
      </ul>
      <div class="state">
        <p role="status" class={isLive && !isPast ? 'live' : 'still'}>
          {isPast ? 'In the past' : isLive ? 'Live' : 'Not connected'}
        </p>
        <ThemeSwitch />
      </div>
    </header>
  );
}
