/** Evaluates `$(( ))` if its numbers are known. */
import type { ArithmeticExpression } from 'unbash';
import { scalarOf, type World } from './world.ts';

/** Null if the value is unknown. */
export function arithmeticValue(node: ArithmeticExpression | undefined, world: World): number | null {
  switch (node?.type) {
    case 'ArithmeticWord':
      return wordValue(node.value, world);
    case 'ArithmeticGroup':
      return arithmeticValue(node.expression, world);
    case 'ArithmeticUnary':
      return unary(node.operator, arithmeticValue(node.operand, world));
    case 'ArithmeticBinary':
      return binary(node.operator, arithmeticValue(node.left, world), arithmeticValue(node.right, world));
    default:
      return null;
  }
}

function wordValue(text: string, { variables }: World): number | null {
  const name = /^\$?\{?([A-Za-z_]\w*)\}?$/.exec(text)?.[1];
  const value = name === undefined ? text : scalarOf(variables.get(name) ?? { reason: 'variable' });
  return typeof value === 'string' && /^-?(?:0|[1-9]\d{0,14})$/.test(value) ? Number(value) : null;
}

function unary(operator: string, operand: number | null): number | null {
  if (operand === null) return null;
  if (operator === '-') return -operand;
  return operator === '+' ? operand : null;
}

function binary(operator: string, left: number | null, right: number | null): number | null {
  if (left === null || right === null) return null;
  const result = BINARY[operator]?.(left, right);
  return result !== undefined && Number.isSafeInteger(result) ? result : null;
}

const BINARY: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => Math.trunc(left / right),
  '%': (left, right) => left % right,
};
