/** What a client tells its model about this server: the workflow of the lock tools. */
export const INSTRUCTIONS = `Several agents may work in this repository. Lock files before you change them, so that nobody's work is lost.

1. Call lock_try with ALL files you plan to modify, in one call.
2. Check the results, file by file: work on the files you acquired, note the blocked ones and their holders.
3. For blocked files, call lock_wait with a reasonable timeout_seconds.
4. Read and edit the files you have locked.
5. Call lock_release when you are done with them (lock_release_all for everything).

A result with "error": "DEADLOCK" means that agents wait for each other in a circle and you were chosen to let go: do what its "release" says, then ask again later. If your wait timed out, do something else first, or release what you hold before you wait again.`;
