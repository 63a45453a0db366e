// Searches the memory of a process for bytes, as an intruder would (Linux: proc(5)).
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

/**
 * Returns the first of these texts that the process's memory contains; undefined if it contains none.
 * `searched`: the names of shared memory that was already searched, which is skipped. Each call adds to this set.
 */
export function findInMemory(
  pid: number,
  wanted: readonly Buffer[],
  searched: Set<string>,
): Buffer | undefined {
  const overlap = Math.max(...wanted.map((each) => each.length)) - 1
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  const chunk = Buffer.allocUnsafe(4 * 1_048_576)
  try {
    for (const { from, to, shared } of residentRegions(pid)) {
      if (shared !== undefined && searched.has(shared)) continue
      for (let at = from; at < to; at += chunk.length - overlap) {
        const read = readAt(memory, chunk, at, Math.min(chunk.length, to - at))
        const part = chunk.subarray(0, read)
        const found = wanted.find((each) => part.includes(each))
        if (found !== undefined) return found
        if (at + read >= to) break
      }
      if (shared !== undefined) searched.add(shared)
    }
    return undefined
  } finally {
    closeSync(memory)
  }
}

/** What `read` reads of a process; undefined when the process has ended meanwhile. */
export function unlessEnded<Read>(read: () => Read): Read | undefined {
  try {
    return read()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ESRCH') return undefined
    throw error
  }
}

/** `shared`: the name of memory that other processes share, such as PostgreSQL's buffers. */
type Region = { readonly from: number; readonly to: number; readonly shared?: string }

/** The readable parts of the address space that were ever used: a JavaScript engine reserves much more. */
function residentRegions(pid: number): readonly Region[] {
  const regions: Region[] = []
  let region: Region | undefined
  for (const line of readFileSync(`/proc/${pid}/smaps`, 'utf8').split('\n')) {
    if (/^[0-9a-f]+-[0-9a-f]+ /.test(line)) region = regionOf(line)
    const [, resident] = /^Rss: +(\d+) kB/.exec(line) ?? []
    if (region !== undefined && Number(resident) > 0) regions.push(region)
  }
  return regions
}

/** Parses a line such as `7f00-7f80 rw-s 00000000 00:01 1044 /dev/zero`; undefined for an unreadable region. */
function regionOf(line: string): Region | undefined {
  const [, start = '', end = '', sharing, object = ''] =
    /^([0-9a-f]+)-([0-9a-f]+) r..([ps]) (\S+ \S+ \d+)/.exec(line) ?? []
  if (sharing === undefined) return undefined
  const [from, to] = [parseInt(start, 16), parseInt(end, 16)]
  return sharing === 's' ? { from, to, shared: `${object} ${to - from}` } : { from, to }
}

/** Pages that cannot be read, such as the kernel's own, count as empty. */
function readAt(memory: number, into: Buffer, at: number, length: number): number {
  try {
    return readSync(memory, into, 0, length, at)
  } catch {
    return 0
  }
}
