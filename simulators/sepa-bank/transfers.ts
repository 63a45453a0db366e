// Transfers that payers send to an account, by scenario.
import { given } from '../kit/given.ts'
import { controlProblem } from '../kit/refusal.ts'
import { accountAt, book, closeDay, type NewEntry } from './accounts.ts'
import type { Bank, Entry } from './bank.ts'

/**
 * - `exact`, `under`, `over`, `twice`: the amount, half, a tenth more, two transfers of it.
 * - `no_reference`: quotes nothing.
 * - `typo`: one character of the reference is wrong.
 * - `late`: the day is closed first, so the transfer is booked on the next banking day.
 * - `return`: a transfer of the account's holder comes back; `reference` is its EndToEndId.
 */
export const scenarios = [
  'exact',
  'under',
  'over',
  'no_reference',
  'typo',
  'return',
  'late',
  'twice',
] as const
/** The payer whose name is not given. */
export const payerName = 'Ana Martins'

export type Scenario = (typeof scenarios)[number]

export type Transfer = {
  readonly scenario: Scenario
  readonly cents: bigint
  /** What the payer quotes. */
  readonly reference: string
  readonly name: string
  readonly iban?: string
}

/** Sends what the scenario says to the account, and returns what was booked. */
export function send(bank: Bank, iban: string, transfer: Transfer): readonly Entry[] {
  const { scenario, cents, reference, name } = transfer
  accountAt(bank, iban)
  if (scenario === 'return') return returnPayout(bank, iban, reference)
  if (scenario === 'late') closeDay(bank, iban)
  const entry: NewEntry = {
    isCredit: true,
    txId: bank.store.name('transfer', 16).toUpperCase(),
    cents: `${centsIn(scenario, cents)}`,
    partyName: name,
    ...given({ partyIban: transfer.iban }),
    ...wordsIn(scenario, reference),
  }
  const again = { ...entry, txId: bank.store.name('transfer', 16).toUpperCase() }
  return book(bank, iban, scenario === 'twice' ? [entry, again] : [entry])
}

function centsIn(scenario: Scenario, cents: bigint): bigint {
  if (scenario === 'under') return cents < 2n ? 1n : cents / 2n
  return scenario === 'over' ? cents + (cents < 10n ? 1n : cents / 10n) : cents
}

function wordsIn(scenario: Scenario, reference: string): Pick<NewEntry, 'structured' | 'text'> {
  if (scenario === 'no_reference') return { text: 'Thank you' }
  // No bank takes a structured reference whose check digits do not fit: a mistyped one goes as free text.
  return scenario === 'typo' ? { text: mistyped(reference) } : { structured: reference }
}

/** One character differs, a digit for a digit and a letter for a letter. */
function mistyped(reference: string): string {
  const at = Math.min(6, reference.length - 1)
  const sign = reference.charAt(at)
  const other = /\d/.test(sign) ? `${(Number(sign) + 1) % 10}` : sign === 'A' ? 'B' : 'A'
  return reference.slice(0, at) + other + reference.slice(at + 1)
}

/** The receiving bank sends a payout back in full (RTRN, AC04: the account is closed). */
export function returnPayout(bank: Bank, iban: string, endToEndId: string): readonly Entry[] {
  const payout = bank.payouts.get(endToEndId)
  if (payout === undefined || payout.iban !== iban)
    throw controlProblem(404, 'not_found', 'The account sent no such payment')
  if (payout.state !== 'PAID') throw controlProblem(409, 'invalid_state', `The payment is ${payout.state}`)
  const { cents, toName, toIban } = payout
  bank.payouts.put(endToEndId, { ...payout, state: 'RETURNED' })
  const back = { isCredit: true, cents, partyName: toName, partyIban: toIban, endToEndId, returned: 'AC04' }
  return book(bank, iban, [back])
}

/** Takes back a credit in full: the payer's bank recalled it (RTRN with FRAD). */
export function recall(bank: Bank, reference: string): readonly Entry[] {
  const credit = bank.entries.get(reference)
  if (credit?.isCredit !== true || credit.returned !== undefined)
    throw controlProblem(404, 'not_found', 'No such transfer came')
  if ([...bank.entries.all()].some(({ recalls }) => recalls === reference))
    throw controlProblem(409, 'invalid_state', 'It was taken back before')
  const { iban, cents, partyName, partyIban, structured, endToEndId, txId } = credit
  const debit: NewEntry = {
    isCredit: false,
    cents,
    partyName,
    ...given({ partyIban, structured, endToEndId, txId }),
    returned: 'FRAD',
    recalls: reference,
  }
  return book(bank, iban, [debit])
}
