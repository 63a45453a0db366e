// Why a watcher halts a chain, or one of our wallets stops. The text is stored and logged, and the person who ends the stop repeats
// it word for word. Pages have a sentence of their own for each reason, so a stored text is read back into key and values, by the
// pattern with which it was written.

const texts = {
  /** A final block was replaced by another one: the node is wrong, or the chain broke its guarantee of finality. */
  finality_changed: 'block {block} was final as {was} and is {now} now',
  /** Somebody else sends from our wallet. */
  nonce_taken: 'nonce {nonce} was taken by a transaction that is not ours',
  nonce_unknown: 'nonce {nonce} was never given out here and is taken',
  transfer_missing: 'transaction {transaction} succeeded, but the token did not move as it says',
} as const

type HaltKey = keyof typeof texts

type NameIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NameIn<Rest>
  : never

export const haltKeys = Object.keys(texts) as HaltKey[]

export type HaltReason = { readonly key: HaltKey; readonly values: Readonly<Record<string, string>> }

/** The reason as it is stored. */
export function haltText<Key extends HaltKey>(
  key: Key,
  values: Readonly<Record<NameIn<(typeof texts)[Key]>, string | bigint>>,
): string {
  return texts[key].replace(/\{(\w+)\}/g, (_, name: string) =>
    String((values as Readonly<Record<string, string | bigint>>)[name]),
  )
}

/** The key and values of a stored reason; undefined for one that was written by hand or by another version. */
export function readHalt(text: string): HaltReason | undefined {
  for (const key of haltKeys) {
    const pattern = texts[key].replace(/\{(\w+)\}/g, String.raw`(?<$1>\S+)`)
    const values = new RegExp(`^${pattern}$`).exec(text)?.groups
    if (values !== undefined) return { key, values: { ...values } }
  }
  return undefined
}
