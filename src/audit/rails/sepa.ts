// The inspections of SEPA_TRANSFER: the movement behind a receipt must say what the receipt says, and an attempt must show an
// account and a reference that a payer can pay to. Pure.
// Inspects what rails/sepa/receipts.ts decides.
import type { ArtifactRules } from '#/audit/payments.ts'
import type { KeptReceipt } from '#/audit/settlement/queries.ts'
import type { PayoutPlaces } from '#/audit/withdrawals.ts'
import { given } from '#/kernel/given.ts'
import { parseJson } from '#/kernel/json.ts'
import { isReference } from '#/rails/sepa/reference.ts'
import type { RailAudit } from './rail-audit.ts'
import { sepaEntryInspections } from './sepa-entries.ts'
import { sepaFileInspections } from './sepa-files.ts'
import { faultOfRefundEvidence, refundsInFiles, sepaPayoutInspections } from './sepa-payouts.ts'

type Evidence = Readonly<Record<string, unknown>>

/** What is wrong with a receipt according to its own evidence, as a sentence without its subject. */
function faultOfEvidence(kept: KeptReceipt): string | undefined {
  const report = read(kept.evidence)
  if (report === undefined) return 'has evidence of no money'
  if (kept.outcome.startsWith('refund')) return faultOfRefundEvidence(kept, report)
  // A debit that takes back a credit names that credit, and the credit's own words.
  const recall = isRecord(report['recall']) ? report['recall'] : undefined
  if ((kept.outcome === 'dispute_lost') !== (recall !== undefined)) return 'is not what its evidence tells of'
  const of = recall === undefined ? report : recall['of']
  return isRecord(of) ? faultOfWords(kept, report, of) : 'has evidence of no money'
}

/** `report`: what the receipt is of; `of`: the movement that names the attempt. */
function faultOfWords(kept: KeptReceipt, report: Evidence, of: Evidence): string | undefined {
  const { reference, part, amountMinor, bookedOn } = report
  const isWhole = part === 0 && !/\/\d{1,6}$/.test(String(reference))
  const name = isWhole ? reference : `${String(reference)}/${String(part)}`
  if (name !== kept.providerRef) return 'is not what its evidence tells of'
  if (kept.minor !== 0n && String(amountMinor) !== String(kept.minor))
    return `counts ${kept.minor}, but its evidence says ${String(amountMinor)}`
  const { attempt, quoted } = of
  const isQuoted = typeof quoted === 'string' && isReference(quoted)
  const named = isQuoted && isRecord(attempt) ? attempt['id'] : undefined
  if (kept.attemptId !== null && named !== kept.attemptId) return 'names another attempt than its evidence'
  return String(bookedOn) === kept.happenedAt.toISOString().slice(0, 10)
    ? undefined
    : 'happened at another time than its evidence says'
}

function read(evidence: Buffer): Evidence | undefined {
  try {
    const report: unknown = parseJson(evidence.toString('utf8'))
    return isRecord(report) ? report : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isRecord(value: unknown): value is Evidence {
  return typeof value === 'object' && value !== null
}

const artifacts: ArtifactRules = {
  fault({ iban, beneficiary, reference, epc }) {
    if (typeof iban !== 'string' || typeof beneficiary !== 'string') return 'has no account to pay to'
    if (typeof reference !== 'string' || !isReference(reference))
      return 'has a reference whose digits do not fit'
    const lines = typeof epc === 'string' ? epc.split('\n') : []
    return lines[6] === iban && lines[9] === reference ? undefined : 'has a code that pays to somewhere else'
  },
  // Lists and events have no picture.
  shown: ({ iban, bic, beneficiary, reference }) => ({
    sepa: { iban, ...given({ bic }), beneficiary, reference },
  }),
}

/** An IBAN without spaces. Its digits are checked by the rail alone. */
const payouts: PayoutPlaces = {
  field: 'iban',
  destinationOf: ({ iban }) => iban?.replaceAll(/\s/g, '').toUpperCase(),
}

export const sepaAudit: RailAudit = {
  artifacts,
  faultOfEvidence,
  payouts,
  payoutType: 'SEPA',
  inspections: async () => [
    ...sepaFileInspections,
    ...sepaEntryInspections,
    ...sepaPayoutInspections,
    refundsInFiles,
  ],
}
