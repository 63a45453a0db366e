// What verify asks of this rail: whether the bytes behind a receipt say what the receipt says, and whether what an opening
// gave is a code that can be paid. Pure; the bank is not asked.
// Inspects what rails/pix/receipts.ts decides.
import type { ArtifactRules } from '#/audit/payments.ts'
import type { KeptReceipt } from '#/audit/settlement/evidence-queries.ts'
import type { PayoutPlaces } from '#/audit/withdrawals.ts'
import { ProviderError } from '#/kernel/error.ts'
import type { AttemptId, ConnectionId } from '#/kernel/id.ts'
import { parseBrCode } from '#/rails/pix/br-code.ts'
import { parsePixKey, pixKeyTypes } from '#/rails/pix/pix-key.ts'
import { receiptsOf, receiptsOfReturn } from '#/rails/pix/receipts.ts'
import { parseJson, parsePix, parseReturn } from '#/rails/pix/wire.ts'
import type { Receipt } from '#/rails/words.ts'
import type { RailAudit } from './rail-audit.ts'

/**
 * What is wrong with a receipt in the eyes of its own evidence, as a sentence without its subject. A refusal is no word of
 * money and agrees with every refund that failed.
 */
function faultOfEvidence(kept: KeptReceipt): string | undefined {
  const told = readEvidence(kept)
  if (told === undefined)
    return kept.outcome === 'refund_failed' ? undefined : 'has evidence that tells of no money'
  const same = told.find(
    (each) =>
      each.providerRef === kept.providerRef &&
      each.outcome === kept.outcome &&
      // A bank may take its word about a refund back, and say the same once more. Settlement counts those.
      (each.refund !== undefined || each.occurrence === kept.occurrence),
  )
  if (same === undefined) return 'is not what its evidence tells of'
  if (kept.minor !== 0n && same.amount.minor !== kept.minor)
    return `counts ${kept.minor}, but its evidence tells of ${same.amount.minor}`
  if (kept.attemptId !== null && same.attempt?.id !== kept.attemptId)
    return 'names another attempt than its evidence'
  // Where a bank does not say when, it is when we heard of it.
  const isDated = same.happenedAt.getTime() !== undated.getTime()
  return isDated && same.happenedAt.getTime() !== kept.happenedAt.getTime()
    ? 'happened at another time than its evidence says'
    : undefined
}

const undated = new Date(0)

/** What the bytes tell: of a received Pix, or of one return of it. */
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
  // Only a refund of ours is told of by itself, and it was we who asked for it.
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
