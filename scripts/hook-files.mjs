// Writes settings.example.json and hooks/hooks.json from src/install/entries.ts.
import { load, put } from './generated.mjs';

const { STATIC_FILES } = await load('src/install/static-files.ts');
for (const [name, value] of Object.entries(STATIC_FILES))
  await put(name, value, 'node scripts/hook-files.mjs');
