/** Variables that reach every hook process and could mislead it or load code into it (reference: env of settings). */
export const TELLING_ENV =
  /^(?:GUARD_|NODE_OPTIONS$|NODE_PATH$|PATH$|LD_|DYLD_|CLAUDE_PID$|CLAUDE_PROJECT_DIR$|HOME$|XDG_)/;
