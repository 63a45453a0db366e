// A provider that says no, in our words. What it says itself is written for whoever has its account: it names our settings and
// the provider's own fields, in its language. So it goes into the log and stays with the attempt, for the operator, and
// never to a merchant or a payer.

/**
 * That a provider will never take an attempt. `code` and `message` are ours; `said` is the provider's own word.
 * `isOfPayer`: something that the payer told is refused, so other words may be taken.
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
  refused_by_provider: 'The provider does not take this payment.',
} as const satisfies Record<string, string>

/** Why a provider does not take an attempt, as far as we know its codes. */
export type RefusalCode = keyof typeof messages

/** The refusal of an attempt. `said`: what the provider answered. */
export function refusedFor(code: RefusalCode, said: string): Refused {
  const refused: Refused = { ok: false, code, message: messages[code], said: said.slice(0, saidMax) }
  return code === 'payer_refused' ? { ...refused, isOfPayer: true } : refused
}

/** A provider's words as they are kept and logged: the beginning tells what it is about. */
export function wordsOf(said: Buffer): string {
  return said.subarray(0, saidMax).toString('utf8')
}

const saidMax = 1_000
