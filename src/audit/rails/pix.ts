// The inspections of PIX: the bytes behind a receipt must say what the receipt says, and the code of an attempt must be
// payable. Pure; makes no call to the bank.
// Inspects what rails/pix/receipts.ts decides.
import type { ArtifactRules } from '#/audit/payments.ts'
import type { KeptReceipt } from '#/audit/settlement/queries.ts'
import type { PayoutPlaces } from '#/audit/withdrawals.ts'
import { pixKeyTypes } from '#/contract/withdrawals.ts'
import { ProviderError } from '#/kernel/error.ts'
import type { AttemptId, ConnectionId } from '#/kernel/id.ts'
import { parseBrCode } from '#/rails/pix/br-code.ts'
import { parsePixKey } from '#/rails/pix/pix-key.ts'
import { receiptsOf, receiptsOfReturn } from '#/rails/pix/receipts.ts'
import { parseJson, parsePix, parseReturn } from '#/rails/pix/wire.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { RailAudit } from './rail-audit.ts'

/**
 * What is wrong with a receipt according to its own evidence, as a sentence without its subject. The evidence of a refusal says
 * that no money moved; it agrees with every refund that failed.
 */
function faultOfEvidence(kept: KeptReceipt): string | undefined {
  const evident = readEvidence(kept)
  if (evident === undefined) return kept.outcome === 'refund_failed' ? undefined : 'has evidence of no money'
  const same = evident.find(
    (each) =>
      each.providerRef === kept.providerRef &&
      each.outcome === kept.outcome &&
      // A bank may reverse what it reported of a refund, and report it once more. Settlement counts the occurrences.
      (each.refund !== undefined || each.occurrence === kept.occurrence),
  )
  if (same === undefined) return 'is not what its evidence tells of'
  if (kept.minor !== 0n && same.amount.minor !== kept.minor)
    return `counts ${kept.minor}, but its evidence says ${same.amount.minor}`
  if (kept.attemptId !== null && same.attempt?.id !== kept.attemptId)
    return 'names another attempt than its evidence'
  // Without a time from the bank, the receipt has the time at which we received it.
  const isDated = same.happenedAt.getTime() !== undated.getTime()
  return isDated && same.happenedAt.getTime() !== kept.happenedAt.getTime()
    ? 'happened at another time than its evidence says'
    : undefined
}

const undated = new Date(0)

/** The receipts that the bytes make: of a received Pix, or of one return of it. */
function readEvidence({ connection, providerRef, attemptId, evidence }: KeptReceipt) {
  const id = connection as ConnectionId
  const pix = read(() => parsePix(parseJson(evidence)))
  if (pix !== undefined) return receiptsOf(id, pix, evidence)
  const sent = read(() => parseReturn(parseJson(evidence)))
  if (sent === undefined) return undefined
  const [endToEndId = ''] = providerRef.split(':')
  const attempt = attemptId === null ? {} : { attempt: { id: attemptId as AttemptId } }
  const paid: Pick<Receipt, 'attempt' | 'connection' | 'providerRef' | 'happenedAt'> = {
    ...attempt,
    connection: id,
    providerRef: endToEndId,
    happenedAt: undated,
  }
  // Only a refund that we requested has evidence of a return alone.
  return receiptsOfReturn(paid, { ...sent, nature: 'ORIGINAL' }, evidence)
}

function read<T>(parse: () => T): T | undefined {
  try {
    return parse()
  } catch (error) {
    if (error instanceof ProviderError) return undefined
    throw error
  }
}

const artifacts: ArtifactRules = {
  fault({ copyPaste }) {
    if (typeof copyPaste !== 'string') return 'has no code to copy and paste'
    const parsed = parseBrCode(copyPaste)
    return parsed.ok && parsed.code.kind === 'DYNAMIC' ? undefined : 'has a code that nobody can pay'
  },
  shown: ({ copyPaste }) => ({ pixCopyPaste: copyPaste ?? null }),
}

/** A key in its normal form. */
const payouts: PayoutPlaces = {
  field: 'pixKey',
  destinationOf({ pixKey = '', pixKeyType }) {
    const type = pixKeyTypes.find((each) => each === pixKeyType)
    const parsed = type === undefined ? undefined : parsePixKey(type, pixKey)
    return parsed?.ok === true ? parsed.key : undefined
  },
}

export const pixAudit: RailAudit = { artifacts, faultOfEvidence, payouts }
