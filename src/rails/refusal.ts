// How we report that a provider refuses. The provider's own text is written for the holder of the account: it names our settings
// and the provider's own fields, in the provider's language. So the text is logged and stored with the attempt, for the operator,
// and never reaches a merchant or a payer.

/**
 * The provider will never accept this attempt. `code` and `message` are ours; `said` is the provider's own text. `isOfPayer`: the
 * provider refuses something that the payer entered, so another value may be accepted.
 */
export type Refused = {
  readonly ok: false
  readonly code: string
  readonly message: string
  readonly said?: string
  readonly isOfPayer?: true
}

const messages = {
  amount_too_small: 'The provider takes no payment of so small an amount.',
  amount_too_large: 'The provider takes no payment of so large an amount.',
  payer_refused: 'The provider does not take what is known of the payer.',
  voucher_malformed: 'The provider gave a voucher that cannot be right, so it is not shown.',
  refused_by_provider: 'The provider does not take this payment.',
} as const satisfies Record<string, string>

/** Why a provider does not accept an attempt, as far as we know its codes. */
export type RefusalCode = keyof typeof messages

/** Returns the refusal of an attempt. `said`: the provider's answer. */
export function refusedFor(code: RefusalCode, said: string): Refused {
  const refused: Refused = { ok: false, code, message: messages[code], said: said.slice(0, saidMax) }
  return code === 'payer_refused' ? { ...refused, isOfPayer: true } : refused
}

/** Returns a provider's text as it is kept and logged: the beginning shows what it is about. */
export function wordsOf(said: Buffer): string {
  return said.subarray(0, saidMax).toString('utf8')
}

const saidMax = 1_000
