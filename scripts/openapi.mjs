// Writes docs/openapi.json from the routes of guard serve.
import packageJson from '../package.json' with { type: 'json' };
import { load, put } from './generated.mjs';

const { openapiDocument } = await load('src/http/document.ts');
await put('docs/openapi.json', openapiDocument(packageJson.version), 'node scripts/openapi.mjs');
