import type { InputFields } from './field.ts';

/** JSON Schema of an object with these fields. */
export function schemaOf(fields: InputFields): {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required: string[];
} {
  const shown = Object.entries(fields).filter(([, { is_hidden }]) => !is_hidden);
  return {
    type: 'object',
    properties: Object.fromEntries(
      shown.map(([name, { schema, about }]) => [
        name,
        about === '' ? schema : { ...schema, description: about },
      ]),
    ),
    required: shown
      .filter(([, { otherwise, is_asked }]) => otherwise === undefined || is_asked)
      .map(([name]) => name),
  };
}
