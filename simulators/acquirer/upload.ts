// A multipart body (RFC 7578): its fields, and its one file.
import { given } from '../kit/given.ts'
import type { Call } from '../kit/http.ts'
import { badParam } from './api-error.ts'

export type SentFile = { readonly name: string; readonly bytes: Buffer }

/** The largest file of any purpose is 16 MiB at the real acquirer; evidence is 5 MB. Room for the other parts. */
export const uploadBytesMax = 6 * 1024 * 1024

/** Reads a multipart body. */
export async function readUpload({ body, headers }: Call): Promise<{
  readonly pairs: URLSearchParams
  readonly file?: SentFile
}> {
  const type = headers['content-type'] ?? ''
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw badParam('file', 'Invalid multipart body')
    })
  const pairs = new URLSearchParams()
  let file: SentFile | undefined
  for (const [name, value] of form) {
    if (typeof value === 'string') pairs.append(name, value)
    else if (name === 'file') file = { name: value.name, bytes: Buffer.from(await value.arrayBuffer()) }
    else throw badParam(name, `Received unknown parameter: ${name}`, 'parameter_unknown')
  }
  return { pairs, ...given({ file }) }
}
