/** Adds a note for the person to the answer for the agent. */
import { asFields, asText } from '../fields.ts';
import type { HookOutput } from '../output.ts';

/** Several notes of one answer are shown one below the other. If `text` is empty, the answer is unchanged. */
export function tellPerson(output: HookOutput, text: string): HookOutput {
  if (text === '') return output;
  const said = output.stdout === '' ? {} : asFields(JSON.parse(output.stdout));
  const systemMessage = [text, asText(said['systemMessage'])].filter((note) => note !== '').join('\n\n');
  return { ...output, stdout: `${JSON.stringify({ ...said, systemMessage })}\n` };
}
