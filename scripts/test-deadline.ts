// Loaded into every test file's process: a file whose tests are over but which does not end (a pool left open, a
// server still listening) is ended here, and says what kept it alive. The time comes in the address: ?ms=300000.
import { isMainThread } from 'node:worker_threads'

const deadlineMs = Number(new URL(import.meta.url).searchParams.get('ms'))

if (isMainThread && deadlineMs > 0) {
  setTimeout(() => {
    const kept = process.getActiveResourcesInfo().filter((each) => each !== 'PipeWrap')
    console.error(`still running after ${deadlineMs / 1000} s, kept alive by: ${kept.join(', ')}`)
    process.exit(1)
  }, deadlineMs).unref()
}
