/** Parses server-sent events from a stream's text, however it is split into chunks. */
export interface StreamEvent {
  readonly name: string;
  readonly data: string;
}

export function eventsIn(): (chunk: string) => StreamEvent[] {
  let rest = '';
  return (chunk) => {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.map(eventOf).filter(({ data }) => data !== '');
  };
}

function eventOf(block: string): StreamEvent {
  const lines = block.split('\n');
  const valueOf = (field: string): string[] =>
    lines.filter((line) => line.startsWith(`${field}: `)).map((line) => line.slice(field.length + 2));
  return { name: valueOf('event')[0] ?? 'message', data: valueOf('data').join('\n') };
}
