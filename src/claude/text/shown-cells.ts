/**
 * Shown notebook cells against the notebook on disk. A reader is shown type, id and source of every cell
 * and a rendering of outputs; notebook metadata is never shown, so it cannot be compared.
 */
import { decodeText } from './encoding.ts';
import { asFields, type Fields } from '../input.ts';
import { isFields, stringIn } from './field.ts';
import type { Shown } from './shown.ts';

const DIFFERENT: Shown = { verdict: 'different', extent: 'unknown' };

function cellsOn(disk: Buffer): readonly unknown[] | undefined {
  try {
    const { cells } = asFields(JSON.parse(decodeText(disk) ?? ''));
    return Array.isArray(cells) ? cells : undefined;
  } catch {
    return undefined; // Not JSON: half a write, or no notebook at all.
  }
}

/** Notebooks store text as a string or as a list of lines with their ends. */
const joined = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? value
    : Array.isArray(value) && value.every((line) => typeof line === 'string')
      ? value.join('')
      : undefined;

function isSameCell(shown: unknown, stored: unknown): boolean {
  if (!isFields(shown) || !isFields(stored)) return false;
  const id = stringIn(stored, 'id');
  return (
    joined(shown.source) === joined(stored.source) &&
    stringIn(shown, 'cellType', 'cell_type') === stringIn(stored, 'cell_type') &&
    (id === undefined || (stringIn(shown, 'cell_id', 'cellId', 'id') ?? id) === id)
  );
}

const hasOutputs = (cell: unknown): boolean =>
  isFields(cell) && Array.isArray(cell.outputs) && cell.outputs.length > 0;

/** Outputs are shown rendered or left out when large, so their equality is not proven. */
export function compareCells(file: Fields, disk: Buffer): Shown {
  const stored = cellsOn(disk);
  if (!Array.isArray(file.cells)) return { verdict: 'unsure', extent: 'unknown' };
  const shown: readonly unknown[] = file.cells;
  if (stored?.length !== shown.length || !shown.every((cell, index) => isSameCell(cell, stored[index])))
    return DIFFERENT;
  return { verdict: stored.some(hasOutputs) ? 'unsure' : 'whole', extent: 'whole' };
}
