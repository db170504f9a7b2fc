/** Whether this process is a standalone binary, which is its own Node (docs/binary.md). */
export const isStandalone = (): boolean => process.getBuiltinModule('node:sea').isSea();
