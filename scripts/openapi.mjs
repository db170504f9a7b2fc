// Writes docs/openapi.json from the routes of guard serve.
import packageJson from '../package.json' with { type: 'json' };
import { load, put } from './generated.mjs';

const { documentOf } = await load('src/http/document.ts');
await put('docs/openapi.json', documentOf(packageJson.version), 'node scripts/openapi.mjs');
