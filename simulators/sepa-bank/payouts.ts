// Files of payments that the account's holder hands in: judged, reported, carried out.
import { createHash } from 'node:crypto'
import { now } from '../kit/clock.ts'
import { controlProblem } from '../kit/refusal.ts'
import { accountAt, book, keepFile } from './accounts.ts'
import type { Bank, Payout } from './bank.ts'
import { paymentReport, readPayments, refusalOf, type Instruction, type Refused } from './pain.ts'
import { returnPayout } from './transfers.ts'

/** Takes a file once, and returns its pain.002. The same bytes again are answered as before; another file of its name is refused. */
export function takePayments(bank: Bank, iban: string, text: string): string {
  const read = readPayments(text, iban)
  if (read === undefined) throw controlProblem(422, 'no_payments', 'This is no pain.001.001.09 with a name')
  const { messageId } = read
  const sha256 = createHash('sha256').update(text).digest('hex')
  const before = bank.uploads.get(messageId)
  if (before?.sha256 === sha256) return before.report
  if (before !== undefined) throw controlProblem(409, 'duplicate', 'Another file of this name was taken')
  if ('refusal' in read) return keepReport(bank, iban, { messageId, sha256, whole: read.refusal })
  return carryOut(bank, iban, { messageId, sha256, instructions: read.instructions })
}

type Taken = { readonly messageId: string; readonly sha256: string }

function carryOut(
  bank: Bank,
  iban: string,
  { instructions, ...taken }: Taken & { readonly instructions: readonly Instruction[] },
): string {
  const { payouts: mode, balance } = accountAt(bank, iban)
  let left = BigInt(balance)
  const refused = new Map<string, Refused>()
  for (const each of instructions) {
    const { endToEndId } = each
    const isRepeated = bank.payouts.get(endToEndId) !== undefined
    const why = isRepeated
      ? { code: 'AM05', words: 'This EndToEndId was sent before' }
      : mode === 'reject'
        ? { code: 'AC04', words: 'The account is closed' }
        : refusalOf(each, left)
    if (why !== undefined) refused.set(endToEndId, why)
    else left -= each.cents
    if (!isRepeated)
      keepPayout(bank, iban, { ...each, messageId: taken.messageId, isRefused: why !== undefined })
  }
  const report = keepReport(bank, iban, { ...taken, refused })
  if (mode !== 'hold')
    for (const { endToEndId } of instructions.filter((each) => !refused.has(each.endToEndId))) {
      actOn(bank, endToEndId, 'pay')
      if (mode === 'return') actOn(bank, endToEndId, 'return')
    }
  return report
}

function keepPayout(
  bank: Bank,
  iban: string,
  { endToEndId, cents, messageId, isRefused, ...to }: Instruction & { messageId: string; isRefused: boolean },
): void {
  bank.payouts.put(endToEndId, {
    endToEndId,
    iban,
    messageId,
    cents: `${cents}`,
    toIban: to.iban,
    toName: to.name,
    state: isRefused ? 'REJECTED' : 'HELD',
  })
}

function keepReport(
  bank: Bank,
  iban: string,
  { sha256, ...of }: Taken & { whole?: Refused; refused?: ReadonlyMap<string, Refused> },
): string {
  const report = paymentReport({ ...of, id: `R${bank.store.next('report')}-${iban.slice(-8)}`, at: now() })
  // A payment that waited is reported in a second report about its file.
  if (bank.uploads.get(of.messageId) === undefined) bank.uploads.put(of.messageId, { sha256, report })
  bank.log.add('A file of payments was judged', of.messageId)
  keepFile(bank, accountAt(bank, iban), { message: 'pain.002.001.10', text: report })
  return report
}

export const payoutActs = ['pay', 'reject', 'return'] as const
export type PayoutAct = (typeof payoutActs)[number]

/** Carries out or refuses a payment that waits, or sends back one that was carried out. */
export function actOn(bank: Bank, endToEndId: string, act: PayoutAct): Payout {
  const payout = bank.payouts.get(endToEndId)
  if (payout === undefined) throw controlProblem(404, 'not_found', 'There is no such payment')
  const { iban, cents, toName, toIban, messageId } = payout
  if (act === 'return') {
    returnPayout(bank, iban, endToEndId)
    return { ...payout, state: 'RETURNED' }
  }
  if (payout.state !== 'HELD') throw controlProblem(409, 'invalid_state', `The payment is ${payout.state}`)
  if (act === 'reject') {
    const refused = new Map([[endToEndId, { code: 'AC04', words: 'The account is closed' }]])
    const sha256 = bank.uploads.get(messageId)?.sha256 ?? ''
    keepReport(bank, iban, { messageId, sha256, refused })
    return bank.payouts.put(endToEndId, { ...payout, state: 'REJECTED' })
  }
  book(bank, iban, [{ isCredit: false, cents, partyName: toName, partyIban: toIban, endToEndId }])
  return bank.payouts.put(endToEndId, { ...payout, state: 'PAID' })
}
