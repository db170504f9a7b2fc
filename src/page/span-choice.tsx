import { SPAN_NAMES, type SpanName } from './span-shown.ts';

interface Choosing {
  readonly chosen: SpanName;
  readonly onChoose: (name: SpanName) => void;
}

/** How far back the page looks. */
export const SpanChoice = ({ chosen, onChoose }: Choosing) => (
  <fieldset class="spans">
    <legend>Look back over</legend>
    {SPAN_NAMES.map((name) => (
      <label key={name}>
        <input type="radio" name="span" checked={name === chosen} onChange={() => onChoose(name)} />
        <span>{name}</span>
      </label>
    ))}
  </fieldset>
);
