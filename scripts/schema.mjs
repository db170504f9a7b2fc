// Writes guard.schema.json from src/config/schema.ts, and docs/plan.schema.json from src/harness/plan-file.ts.
import { load, put } from './generated.mjs';

const { jsonSchema } = await load('src/config/json-schema.ts');
await put('guard.schema.json', jsonSchema(), 'node scripts/schema.mjs');
const { planSchema } = await load('src/harness/plan-file.ts');
await put('docs/plan.schema.json', planSchema(), 'node scripts/schema.mjs');
