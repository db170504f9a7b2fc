#!/usr/bin/env node
// The same program under its earlier name, which settings and permission rules still contain.
import { createRequire } from 'node:module';

createRequire(import.meta.url)('./guard.cjs');
