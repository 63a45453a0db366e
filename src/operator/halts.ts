// Why a chain is halted or a wallet of ours stopped, as the console tells it.
import { haltKeys, readHalt, type HaltReason } from '#/coins/halt-reasons.ts'

/** The keys of all reasons: the console's pages have a sentence for each. */
export const haltReasonKeys = haltKeys

/** The reason of a stored text, under a name; nothing when the text has no key. */
export function haltOf<Name extends string>(
  name: Name,
  text: string,
): { readonly [Key in Name]?: HaltReason } {
  const reason = readHalt(text)
  return (reason === undefined ? {} : { [name]: reason }) as { readonly [Key in Name]?: HaltReason }
}
