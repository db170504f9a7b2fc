/** Goes to the record at or before an lsn that is typed. */
import { useState } from 'preact/hooks';

interface Typing {
  /** Of the moment shown. */
  readonly lsn: number | null;
  readonly onChoose: (lsn: number) => void;
}

export function LsnField({ lsn, onChoose }: Typing) {
  const [typed, setTyped] = useState<string | null>(null);
  const choose = (event: Event): void => {
    event.preventDefault();
    const wanted = Number(typed);
    if (typed !== null && /^\d{1,15}$/.test(typed)) onChoose(wanted);
    setTyped(null);
  };
  return (
    <form class="lsn" onSubmit={choose} noValidate>
      <label>
        <span class="dim">lsn</span>
        <input
          type="number"
          min={0}
          step={1}
          inputMode="numeric"
          value={typed ?? lsn ?? ''}
          aria-label="Go to an lsn"
          title="Type an lsn and press Enter"
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          onBlur={() => setTyped(null)}
        />
      </label>
    </form>
  );
}
