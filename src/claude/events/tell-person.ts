/** To the person, beside what the agent is told. */
import { asFields, asText } from '../fields.ts';
import type { HookOutput } from '../output.ts';

/** Several notes of one answer are shown one below the other. `text` empty: the answer as it is. */
export function tellPerson(output: HookOutput, text: string): HookOutput {
  if (text === '') return output;
  const said = output.stdout === '' ? {} : asFields(JSON.parse(output.stdout));
  const systemMessage = [text, asText(said['systemMessage'])].filter((note) => note !== '').join('\n\n');
  return { ...output, stdout: `${JSON.stringify({ ...said, systemMessage })}\n` };
}
