// Looks for bytes in the memory of a process, as somebody would who has broken into it (Linux: proc(5)).
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

/** The first of these that the process has anywhere in its memory. Undefined: none, or the process is gone. */
export function findInMemory(pid: number, wanted: readonly Buffer[]): Buffer | undefined {
  const overlap = Math.max(...wanted.map((each) => each.length)) - 1
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  const chunk = Buffer.allocUnsafe(4 * 1_048_576)
  try {
    for (const { from, to } of residentRegions(pid)) {
      for (let at = from; at < to; at += chunk.length - overlap) {
        const read = readAt(memory, chunk, at, Math.min(chunk.length, to - at))
        const part = chunk.subarray(0, read)
        const found = wanted.find((each) => part.includes(each))
        if (found !== undefined) return found
        if (at + read >= to) break
      }
    }
    return undefined
  } finally {
    closeSync(memory)
  }
}

type Region = { readonly from: number; readonly to: number }

/** What of its address space is readable and was ever used: a JavaScript engine reserves much more than that. */
function residentRegions(pid: number): readonly Region[] {
  const regions: Region[] = []
  let region: Region | undefined
  for (const line of readFileSync(`/proc/${pid}/smaps`, 'utf8').split('\n')) {
    const head = /^([0-9a-f]+)-([0-9a-f]+) r/.exec(line)
    const isHead = /^[0-9a-f]+-[0-9a-f]+ /.test(line)
    if (isHead)
      region = head ? { from: parseInt(head[1] ?? '', 16), to: parseInt(head[2] ?? '', 16) } : undefined
    const [, resident] = /^Rss: +(\d+) kB/.exec(line) ?? []
    if (region !== undefined && Number(resident) > 0) regions.push(region)
  }
  return regions
}

/** Pages that cannot be read, such as the kernel's own, count as empty. */
function readAt(memory: number, into: Buffer, at: number, length: number): number {
  try {
    return readSync(memory, into, 0, length, at)
  } catch {
    return 0
  }
}
