// An installation or a browser that all test files of one process use, one file after another, because its start takes longer than their
// tests. `scripts/test-batches.ts` decides which files share a process; a file that is run alone has a process of its own.
import { after } from 'node:test'

const opened = new Map<string, Promise<AsyncDisposable>>()

// Registered for the process, not for a file: this module is loaded before any suite.
after(async () => {
  // The others are closed even when one of them cannot be.
  await using all = new AsyncDisposableStack()
  for (const each of await Promise.allSettled(opened.values()))
    // One that could not be opened has already failed its caller.
    if (each.status === 'fulfilled') all.use(each.value)
})

/**
 * The shared thing of this name in this process. The first caller opens it, and it is closed after the last test of the process. No caller
 * may close it, and each caller leaves it as usable as before.
 */
export async function share<Thing extends AsyncDisposable>(
  name: string,
  open: () => Promise<Thing>,
): Promise<Thing> {
  const thing = opened.get(name) ?? open()
  opened.set(name, thing)
  return (await thing) as Thing
}
