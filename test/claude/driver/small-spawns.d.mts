export function spawnSmall(): void;
