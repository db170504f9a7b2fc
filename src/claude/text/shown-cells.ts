/**
 * Compares shown notebook cells with the notebook on disk. A reader is shown type, id and source of every cell and a
 * rendering of its outputs. Notebook metadata is never shown, so a change of it is not noticed here.
 */
import { asList, parsedObject } from '../../core/json-object.ts';
import { decodeText } from './encoding.ts';
import { asFields, type Fields } from '../input.ts';
import { isFields, stringIn } from './field.ts';
import type { Shown } from './shown-extent.ts';

const DIFFERENT: Shown = { verdict: 'different', extent: 'unknown' };

/** Undefined if it is not JSON: a partial write, or not a notebook at all. */
function cellsOn(disk: Buffer): readonly unknown[] | undefined {
  const { cells } = parsedObject(decodeText(disk));
  return Array.isArray(cells) ? cells : undefined;
}

/** Notebooks store text as a string or as a list of lines with their endings. */
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

const outputsOf = (cell: unknown): readonly unknown[] => asList(asFields(cell)['outputs']);

/** Only streams are shown as they are stored; results and errors are rendered, and images and long texts are cut. */
function isSameOutput(shown: unknown, stored: unknown): boolean {
  const [seen, there] = [asFields(shown), asFields(stored)];
  return there['output_type'] === 'stream' && joined(seen['text']) === joined(there['text']);
}

function hasSameOutputs(shown: unknown, stored: unknown): boolean {
  const [seen, there] = [outputsOf(shown), outputsOf(stored)];
  return seen.length === there.length && there.every((output, index) => isSameOutput(seen[index], output));
}

/** The cells are the same, but their outputs cannot be compared: the whole file was shown, but that proves nothing. */
export function compareCells(file: Fields, disk: Buffer): Shown {
  if (!Array.isArray(file['cells'])) return { verdict: 'unsure', extent: 'unknown' };
  const shown: readonly unknown[] = file['cells'];
  const stored = cellsOn(disk);
  if (stored?.length !== shown.length || !shown.every((cell, index) => isSameCell(cell, stored[index])))
    return DIFFERENT;
  const isProven = shown.every((cell, index) => hasSameOutputs(cell, stored[index]));
  return { verdict: isProven ? 'whole' : 'unsure', extent: 'whole' };
}
