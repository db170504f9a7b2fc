#!/usr/bin/env node
// The same program under the name that earlier versions gave it, which settings and permission rules still call.
import { createRequire } from 'node:module';

createRequire(import.meta.url)('./guard.cjs');
