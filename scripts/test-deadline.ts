// Loaded into every test process. Ends a process that does not end after its tests (an open pool, a listening server), and
// reports what kept it alive. The time comes in the module's address: ?ms=300000. The database waits longer than usual for this process.
import { isMainThread } from 'node:worker_threads'
import { lengthenLimits } from '../src/db/limits.ts'

lengthenLimits(Number(process.env['VINTEM_DATABASE_PATIENCE'] ?? 1))

const deadlineMs = Number(new URL(import.meta.url).searchParams.get('ms'))

if (isMainThread && deadlineMs > 0) {
  setTimeout(() => {
    const kept = process.getActiveResourcesInfo().filter((each) => each !== 'PipeWrap')
    console.error(`still running after ${deadlineMs / 1000} s, kept alive by: ${kept.join(', ')}`)
    process.exit(1)
  }, deadlineMs).unref()
}
