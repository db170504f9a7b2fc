/** Light, dark, or the system's setting. */
import { useEffect, useState } from 'preact/hooks';

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
const KEPT = 'guard-theme';

const kept = (): Theme => THEMES.find((one) => one === localStorage.getItem(KEPT)) ?? 'system';

export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(kept);
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(KEPT, theme);
  }, [theme]);
  return (
    <label class="theme">
      <span class="dim">Colors</span>
      <select value={theme} onChange={({ currentTarget }) => setTheme(currentTarget.value as Theme)}>
        {THEMES.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  );
}
