import { describe, expect, test } from 'vitest';
import { compareShown } from '../../../src/claude/text/shown.ts';

describe('a notebook', () => {
  const cell = { cell_type: 'code', id: 'c1', source: ['a\n', 'b'], metadata: {}, outputs: [] as unknown[] };
  const disk = (cells: unknown): Buffer => Buffer.from(JSON.stringify({ cells, metadata: {}, nbformat: 4 }));
  const shown = (cells: unknown): unknown => ({
    type: 'notebook',
    file: { filePath: '/repo/n.ipynb', cells },
  });
  const seen = { cellType: 'code', source: 'a\nb', cell_id: 'c1', language: 'python' };
  const stream = { output_type: 'stream', name: 'stdout', text: ['1\n', '2'] };

  test('is whole when its cells are', () => {
    expect(compareShown(shown([seen]), disk([cell])).verdict).toBe('whole');
    expect(
      compareShown(shown([{ ...seen, cell_id: 'cell-0' }]), disk([{ ...cell, id: undefined }])).verdict,
    ).toBe('whole');
    expect(compareShown(shown([]), disk([])).verdict).toBe('whole');
  });

  test.each([
    ['another source', [{ ...cell, source: 'a\nB' }]],
    ['another type', [{ ...cell, cell_type: 'markdown' }]],
    ['another id', [{ ...cell, id: 'c2' }]],
    ['another cell', [cell, cell]],
    ['no cell', []],
    ['a cell that is none', [null]],
    ['cells that are none', 'cells'],
  ])('with %s is different', (_name, cells) => {
    expect(compareShown(shown([seen]), disk(cells)).verdict).toBe('different');
  });

  test('half written is different', () => {
    expect(compareShown(shown([seen]), disk([cell]).subarray(0, 30)).verdict).toBe('different');
  });

  test('is whole with streams as shown, unsure with rendered outputs', () => {
    const output = { output_type: 'stream', text: '1\n2' };
    const result = { output_type: 'execute_result', data: { 'text/plain': '3' } };
    expect(
      compareShown(shown([{ ...seen, outputs: [output] }]), disk([{ ...cell, outputs: [stream] }])).verdict,
    ).toBe('whole');
    expect(
      compareShown(
        shown([{ ...seen, outputs: [output] }]),
        disk([{ ...cell, outputs: [{ ...stream, text: 'x' }] }]),
      ),
    ).toEqual({ verdict: 'unsure', extent: 'whole' });
    expect(
      compareShown(shown([{ ...seen, outputs: [{ text: '3' }] }]), disk([{ ...cell, outputs: [result] }]))
        .verdict,
    ).toBe('unsure');
  });

  test('with an image among its outputs is unsure', () => {
    const image = { output_type: 'display_data', data: { 'image/png': 'AQID' } };
    const shownImage = {
      output_type: 'display_data',
      image: { image_data: 'AQID', media_type: 'image/png' },
    };
    const response = shown([{ ...seen, outputs: [shownImage] }]);
    expect(compareShown(response, disk([{ ...cell, outputs: [image] }]))).toEqual({
      verdict: 'unsure',
      extent: 'whole',
    });
  });
});
