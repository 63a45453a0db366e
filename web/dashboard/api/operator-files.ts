// How a bank file is handed in: by parts, so that no request is large.
import { call } from './call.ts'

/** What the server accepts: a larger file is split by the bank. */
export const fileBytesMax = 16 * 1024 * 1024
/** Files of one import. */
export const filesMax = 50

/** Hands in a file. `onBytes` hears how many more of its bytes have arrived. Returns its id, by which a job takes it. */
export async function handIn(file: File, onBytes: (more: number) => void): Promise<string> {
  const body = { name: file.name.slice(-200), size: file.size }
  const { id, partBytes } = await call('beginUpload', { body })
  for (let number = 0; number * partBytes < file.size; number += 1) {
    const bytes = file.slice(number * partBytes, (number + 1) * partBytes)
    await call('addUploadPart', { id, query: { number }, bytes })
    onBytes(bytes.size)
  }
  return id
}
