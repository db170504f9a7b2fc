/** Damaged events: cut, with changed bytes, or with fields of other types. */

export interface Harm {
  readonly name: string;
  readonly apply: (event: object | string | Buffer) => string | Buffer;
}

type Roll = (sides: number) => number;

const textOf = (event: object | string | Buffer): string =>
  typeof event === 'string'
    ? event
    : Buffer.isBuffer(event)
      ? event.toString('latin1')
      : JSON.stringify(event);

const ODD: readonly unknown[] = [
  null,
  0,
  -1,
  true,
  [],
  {},
  [[{}]],
  '',
  ' ',
  '../../etc',
  'a\u0000b',
  '\ud800',
];
const SHARES = 1_000;
const LARGE_BYTES = 300_000;

/** Scales a share to an index. */
const placeIn = (length: number, share: number): number => Math.floor((length * share) / SHARES);

export function harmOf(roll: Roll): Harm {
  const [share, nth, odd, byte] = [roll(SHARES), roll(100), ODD[roll(ODD.length)], roll(256)];
  /** Changes an existing field of the event. */
  const inField =
    (change: (fields: Record<string, unknown>, name: string) => void) =>
    (event: object | string | Buffer) => {
      if (typeof event !== 'object' || Buffer.isBuffer(event)) return textOf(event);
      const fields = structuredClone(event) as Record<string, unknown>;
      const names = Object.keys(fields);
      change(fields, names[nth % names.length] ?? 'cwd');
      return JSON.stringify(fields);
    };
  const HARMS: readonly Harm[] = [
    { name: 'cut at its end', apply: (event) => textOf(event).slice(0, -1 - (nth % 5)) },
    // Paths differ in length between the two repositories, so a cut inside one would not be the same.
    { name: 'cut after its beginning', apply: (event) => textOf(event).slice(0, 2 + (nth % 14)) },
    { name: 'nothing', apply: () => '' },
    { name: 'a byte of its end', apply: (event) => withByte(Buffer.from(textOf(event)), nth, byte) },
    { name: 'without a field', apply: inField((fields, name) => Reflect.deleteProperty(fields, name)) },
    { name: 'with an odd field', apply: inField((fields, name) => (fields[name] = odd)) },
    {
      name: 'with an odd tool_input',
      apply: inField((fields) => {
        const input = fields['tool_input'];
        const names = Object.keys(typeof input === 'object' && input !== null ? input : {});
        fields['tool_input'] = {
          ...(input as object),
          [names[nth % Math.max(1, names.length)] ?? 'file_path']: odd,
        };
      }),
    },
    { name: 'with a large field', apply: inField((fields) => (fields['more'] = 'x'.repeat(LARGE_BYTES))) },
    {
      name: 'in bytes that are no text',
      apply: (event) => Buffer.from(textOf(event).replace(/"default"/, '"d\u00ff"'), 'latin1'),
    },
    { name: 'with a field twice', apply: (event) => textOf(event).replace(/\}$/, ',"session_id":"s1"}') },
    { name: 'as a list', apply: (event) => `[${textOf(event)}]` },
    { name: 'with room around it', apply: (event) => ` \n\t${textOf(event)}\r\n` },
  ];
  return HARMS[placeIn(HARMS.length, share)] as Harm;
}

/** Changes one of the last bytes, which are the same for both repositories. */
function withByte(bytes: Buffer, nth: number, byte: number): Buffer {
  const at = bytes.length - 1 - (nth % Math.max(1, Math.min(bytes.length, 8)));
  if (at >= 0) bytes[at] = byte;
  return bytes;
}
