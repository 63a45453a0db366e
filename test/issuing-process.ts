// A process that creates payments with an issuance log until it is killed, and prints the id of each acknowledged payment:
// `node test/issuing-process.ts <appUrl> <ownerUrl> <folder> [<how many>]`.
import { openLine } from './line.ts'

const [appUrl = '', ownerUrl = '', folder = '', most = '100000'] = process.argv.slice(2)
const line = await openLine({ appUrl, ownerUrl }, folder)
let left = Number(most)
async function create(): Promise<void> {
  while (left-- > 0) {
    const text = await line.create().then(
      ({ id }) => id,
      (error: unknown) => `refused ${(error as { readonly code?: string }).code}`,
    )
    // Synchronous for a file and a pipe: what was printed before the kill was answered before it.
    process.stdout.write(`${text}\n`)
  }
}
await Promise.all(Array.from({ length: 20 }, create))
await line[Symbol.asyncDispose]()
