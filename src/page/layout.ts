/** Positions for the nodes of a graph: lines pull, nodes push, and a node starts where it was before. Deterministic. */
import type { GraphShape } from './graph.ts';

export interface DotPlace {
  readonly x: number;
  readonly y: number;
}

interface Box {
  readonly width: number;
  readonly height: number;
}

const ROUNDS = 240;
const MARGIN_X = 92;
const MARGIN_Y = 34;

export function layoutOf(
  { dots, lines }: GraphShape,
  { width, height }: Box,
  before: ReadonlyMap<string, DotPlace> = new Map(),
): ReadonlyMap<string, DotPlace> {
  const [middle_x, middle_y] = [width / 2, height / 2];
  const at = dots.map(({ id }, nth) => {
    const angle = (nth / Math.max(1, dots.length)) * 2 * Math.PI + 0.4;
    return (
      before.get(id) ?? {
        x: middle_x + Math.cos(angle) * width * 0.36,
        y: middle_y + Math.sin(angle) * height * 0.36,
      }
    );
  });
  const points = at.map(({ x, y }) => ({ x, y }));
  const index = new Map(dots.map(({ id }, nth) => [id, nth]));
  const springs = lines.map(({ from, to }) => [index.get(from) ?? 0, index.get(to) ?? 0] as const);
  const wide = Math.min(150, (width * 1.5) / Math.sqrt(dots.length + 1));
  for (let round = 0; round < ROUNDS; round++) {
    const cool = 1 - round / ROUNDS;
    const moves = points.map((one) => ({ x: (middle_x - one.x) * 0.012, y: (middle_y - one.y) * 0.03 }));
    for (const [a, one] of points.entries())
      for (const [b, other] of points.entries()) {
        if (a === b) continue;
        const [dx, dy] = [one.x - other.x || 0.5 + a - b, (one.y - other.y) * 1.6 || 0.3];
        const far = Math.max(20, Math.hypot(dx, dy));
        const push = (wide * wide) / (far * far);
        const move = moves[a];
        if (move === undefined) continue;
        move.x += (dx / far) * push * 6;
        move.y += (dy / far) * push * 6;
      }
    for (const [a, b] of springs) {
      const [one, other, moveA, moveB] = [points[a], points[b], moves[a], moves[b]];
      if (one === undefined || other === undefined || moveA === undefined || moveB === undefined) continue;
      const [dx, dy] = [other.x - one.x, other.y - one.y];
      const pull = ((Math.hypot(dx, dy) || 1) - wide) * 0.04;
      const far = Math.hypot(dx, dy) || 1;
      moveA.x += (dx / far) * pull;
      moveA.y += (dy / far) * pull;
      moveB.x -= (dx / far) * pull;
      moveB.y -= (dy / far) * pull;
    }
    for (const [nth, move] of moves.entries()) {
      const point = points[nth];
      if (point === undefined) continue;
      point.x = within(point.x + move.x * cool * 2, MARGIN_X, width - MARGIN_X);
      point.y = within(point.y + move.y * cool * 2, MARGIN_Y, height - MARGIN_Y);
    }
  }
  return new Map(dots.map(({ id }, nth) => [id, points[nth] ?? { x: middle_x, y: middle_y }]));
}

const within = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
