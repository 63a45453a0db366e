// Whether this process can write where it has to: its data directory, and the folder of the issuance log. A full disk lets most requests
// work until one of them has to write.
import { mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { messageOf } from '#/kernel/error.ts'
import { monotonicMs, secondMs } from '#/kernel/time.ts'

/** Why something cannot be written in one of the folders; undefined: it can, in all of them. */
export type DiskCheck = () => Promise<string | undefined>

/** For so long an answer is used again, so that no caller of /health/ready can keep the disk busy. */
const freshMs = 2 * secondMs
/** A block: a full disk may still have room for the rest of one. */
const block = Buffer.alloc(4_096, 0x2e)

/** Writes a block in each folder, and removes it again. */
export function createDiskCheck(folders: readonly string[]): DiskCheck {
  let last: { readonly atMs: number; readonly answer: Promise<string | undefined> } | undefined
  return () => {
    if (last === undefined || monotonicMs() - last.atMs > freshMs)
      last = { atMs: monotonicMs(), answer: faultOf(folders) }
    return last.answer
  }
}

async function faultOf(folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const fault = await write(folder).catch((error: unknown) => messageOf(error))
    if (fault !== undefined) return `${folder} cannot be written: ${fault}`
  }
  return undefined
}

async function write(folder: string): Promise<undefined> {
  const file = path.join(folder, 'write-test')
  await mkdir(folder, { recursive: true })
  const handle = await open(file, 'w', 0o600)
  try {
    await handle.writeFile(block)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rm(file, { force: true })
}
