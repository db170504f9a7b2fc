/** How far back the page looks. */
const LENGTHS_MS = {
  '15 min': 900_000,
  '1 h': 3_600_000,
  '6 h': 21_600_000,
  '1 day': 86_400_000,
  everything: null,
} as const;

export type Stretch = keyof typeof LENGTHS_MS;

/** `null`: from the first record. */
export const lengthOf = (stretch: Stretch): number | null => LENGTHS_MS[stretch];

interface Choosing {
  readonly stretch: Stretch;
  readonly onChoose: (stretch: Stretch) => void;
}

export const Stretches = ({ stretch, onChoose }: Choosing) => (
  <fieldset class="stretches">
    <legend>Look back over</legend>
    {(Object.keys(LENGTHS_MS) as Stretch[]).map((one) => (
      <label key={one}>
        <input type="radio" name="stretch" checked={one === stretch} onChange={() => onChoose(one)} />
        <span>{one}</span>
      </label>
    ))}
  </fieldset>
);
