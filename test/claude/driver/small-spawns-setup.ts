import { spawnSmall } from './small-spawns.mjs';

spawnSmall();
