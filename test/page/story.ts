/** An hour of five agents in a shop: it ends in a deadlock, and one tries to overwrite content it has not seen. */
import type { Scratch } from '../claude/driver.ts';
import { type Stage, stageIn } from './stage.ts';

const FILES = [
  ...['src/cart/total.ts', 'src/cart/discount.ts', 'src/cart/lines.ts', 'src/checkout/pay.ts'],
  ...['src/checkout/address.ts', 'src/core/money.ts', 'src/core/tax.ts', 'src/api/orders.ts'],
  ...['src/api/routes.ts', 'test/cart/total.test.ts', 'test/checkout/pay.test.ts', 'docs/pricing.md'],
];
const AGENTS = ['ada', 'brook', 'cleo', 'dario', 'esra'];

export const BEFORE = `export function total(lines: Line[]): Money {
  let sum = zero;
  for (const line of lines) sum = add(sum, line.price);
  return sum;
}
`;
export const AFTER = `export function total(lines: Line[], discount: Discount = none): Money {
  let sum = zero;
  for (const line of lines) sum = add(sum, times(line.price, line.count));
  return discount.from(sum);
}
`;

/** The waits at the end of the story, and how many seconds ago they began. The last one closes the circle. */
export const WAITS = [
  ['cleo', 'docs/pricing.md', 110],
  ['esra', 'src/api/orders.ts', 90],
  ['ada', 'src/core/money.ts', 50],
  ['brook', 'src/cart/total.ts', -60],
] as const;

const HELD = [
  ['ada', 'src/cart/total.ts'],
  ['brook', 'src/core/money.ts'],
  ['cleo', 'src/api/orders.ts'],
  ['dario', 'docs/pricing.md'],
] as const;

/** The same story every time. @param from_s how many seconds ago it begins */
export function tellStory(at: Scratch, from_s = 3_500): Stage {
  const stage = stageIn(at);
  const draw = numbers(7);
  const held = new Map<string, string>();
  for (let second = from_s; second > 240; second -= 25 + Math.floor(draw() * 40)) {
    stage.ago(second);
    const agent = AGENTS[Math.floor(draw() * AGENTS.length)] ?? '';
    const path = FILES[Math.floor(draw() * draw() * FILES.length)] ?? '';
    const holder = held.get(path);
    if (holder === undefined) {
      stage.lock(agent, path);
      held.set(path, agent);
      continue;
    }
    if (holder !== agent) stage.wait(agent, path);
    stage.ago(second - 12);
    stage.write(holder, path, null, `${path} of ${holder} at ${second}\n`);
    stage.ago(second - 18);
    stage.release(holder, path);
    held.delete(path);
    if (holder === agent) continue;
    stage.lock(agent, path);
    held.set(path, agent);
  }
  stage.ago(230);
  for (const [path, holder] of held) stage.release(holder, path);
  stage.ago(200);
  stage.lock('ada', 'src/cart/total.ts');
  stage.lock('brook', 'src/core/money.ts');
  stage.ago(170);
  stage.write('ada', 'src/cart/total.ts', BEFORE, AFTER);
  stage.lock('cleo', 'src/api/orders.ts');
  stage.ago(150);
  stage.stale('dario', 'src/cart/total.ts', BEFORE, AFTER);
  stage.ago(120);
  stage.lock('dario', 'docs/pricing.md');
  // A place in the queue lasts half a minute unless it is renewed, so this goes on into the future.
  for (let second = 110; second >= -60; second -= 10) {
    stage.ago(second);
    // A lease idle for three minutes goes to the next agent that asks.
    if (second === 60) for (const [agent, path] of HELD) stage.lock(agent, path);
    for (const [agent, path, begun] of WAITS)
      if (begun >= second && (begun - second) % 20 === 0) stage.wait(agent, path);
  }
  stage.ago(0);
  return stage;
}

/** Pseudo-random numbers between 0 and 1 (mulberry32). */
export function numbers(seed: number): () => number {
  let at = seed;
  return () => {
    at = (at + 0x6d2b79f5) | 0;
    let mixed = Math.imul(at ^ (at >>> 15), 1 | at);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
