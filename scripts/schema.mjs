// Writes guard.schema.json from src/config/schema.ts.
import { load, put } from './generated.mjs';

const { jsonSchema } = await load('src/config/json-schema.ts');
await put('guard.schema.json', jsonSchema(), 'node scripts/schema.mjs');
