// The calls of one merchant that wait to be written: a line of bytes for each. Objects and strings would live until they are written, and
// the garbage collector would copy them, which costs more than the rest of logging a call.
import type { ApiKeyId } from '#/kernel/id.ts'
import type { LoggedCall } from './call.ts'

export type Lines = {
  /** Returns by how many bytes the memory in use grew. */
  add(call: LoggedCall): number
  readonly size: number
  /** What was added. */
  end(): Chunk
}

/** Calls of one merchant, at least one. */
export type Chunk = {
  readonly calls: number
  readonly firstMs: number
  readonly lastMs: number
  /** The keys that called. A line has the place of its key, from 1. */
  readonly keyIds: readonly ApiKeyId[]
  /** The instant that each line counts its milliseconds from. */
  readonly baseMs: number
  readonly lines: string
}

const firstBytes = 2_048
/** Longer than any line: ids have at most 64 characters, and our paths with a UUID fewer than 120. */
const lineBytesMax = 512

export function createLines(): Lines {
  const keyIds: ApiKeyId[] = []
  let bytes = Buffer.allocUnsafe(firstBytes)
  let used = 0
  let calls = 0
  let baseMs = 0
  let firstMs = Number.POSITIVE_INFINITY
  let lastMs = Number.NEGATIVE_INFINITY

  /** The fields hold no tab and no line break: they are numbers, ids, words of ours, and our own path with a UUID. */
  function lineOf(call: LoggedCall): string {
    const { receivedAtMs, durationMs, method, status, code, requestId, path } = call
    let place = keyIds.indexOf(call.keyId)
    if (place < 0) place = keyIds.push(call.keyId) - 1
    const start = calls === 0 ? '' : '\n'
    return `${start}${receivedAtMs - baseMs}\t${durationMs}\t${method}\t${status ?? ''}\t${code ?? ''}\t${place + 1}\t${requestId}\t${path}`
  }

  return {
    get size() {
      return bytes.length
    },
    add(call) {
      const { receivedAtMs } = call
      if (calls === 0) baseMs = receivedAtMs
      if (receivedAtMs < firstMs) firstMs = receivedAtMs
      if (receivedAtMs > lastMs) lastMs = receivedAtMs
      const before = bytes.length
      if (before - used < lineBytesMax) {
        const larger = Buffer.allocUnsafe(2 * before)
        bytes.copy(larger, 0, 0, used)
        bytes = larger
      }
      used += bytes.write(lineOf(call), used, 'latin1')
      calls += 1
      return calls === 1 ? bytes.length : bytes.length - before
    },
    end: () => ({ calls, firstMs, lastMs, keyIds, baseMs, lines: bytes.toString('latin1', 0, used) }),
  }
}
