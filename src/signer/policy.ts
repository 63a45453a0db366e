// Decides what is signed: a pure function of the request, the policy and the journal's history.
import { readCall, sweepSelector, transferSelector, type Call } from './calls.ts'
import { spendingOf, versionOf, worstFeeOf, type SignedHistory, type Spending } from './history.ts'
import { keccak } from './keccak.ts'
import type { CallRule, ChainPolicy, KeyPolicy, Policy, TransferRule } from './policy-file.ts'
import type { RefusalCode } from './protocol.ts'
import type { Address } from './shape.ts'
import { feePerGasOf, isCancel, payloadOf, type Transaction } from './transaction.ts'

export type Refusal = {
  readonly code: RefusalCode
  /** For the operator, without secrets. */
  readonly reason: string
}

export type Decision =
  /** `wasSigned`: exactly this transaction is in the journal already. */
  | { readonly verdict: 'sign'; readonly wasSigned: boolean }
  | (Refusal & {
      readonly verdict: 'refuse'
      /**
       * Something was signed for this reference before, with other fees or under another nonce. It may still be mined: the
       * caller must not treat it as failed.
       */
      readonly mayExist: boolean
    })

/** Versions of one transaction. A fee that rises by an eighth from 0.05 to 5 gwei is raised 39 times. */
export const versionsMax = 200

/** Decides over one request at the instant `at` (`history.advanceTo`). Changes nothing. */
export function decide(policy: Policy, history: SignedHistory, tx: Transaction, at: number): Decision {
  const refusal = refusalOf(policy, history, tx, at)
  const bound = history.bound(tx)
  if (refusal === undefined) {
    // The same bytes for another reference must be journaled too, so that the reference is bound.
    const isReferenceUsed = history.reference(tx.reference) !== undefined
    const wasSigned = isReferenceUsed && bound?.versions.includes(versionOf(tx, bound)) === true
    return { verdict: 'sign', wasSigned }
  }
  return { verdict: 'refuse', ...refusal, mayExist: history.reference(tx.reference) !== undefined }
}

function refusalOf(policy: Policy, history: SignedHistory, tx: Transaction, at: number): Refusal | undefined {
  const key = policy.keys.find(({ address }) => address === tx.key)
  if (key === undefined) return refuse('unknown_key', `the policy knows no key ${tx.key}`)
  const chain = key.chains.find(({ chainId }) => chainId === tx.chainId)
  if (chain === undefined) return refuse('chain_not_allowed', `the key may not sign for chain ${tx.chainId}`)
  return (
    (isCancel(tx)
      ? cancelFault(chain, history, tx)
      : (payloadFault(key, chain, tx) ?? nonceFault(history, tx))) ??
    feeFault(chain, tx) ??
    referenceFault(history, tx) ??
    versionFault(history, tx) ??
    capFault(chain, history, tx, at)
  )
}

function payloadFault(key: KeyPolicy, chain: ChainPolicy, tx: Transaction): Refusal | undefined {
  if (tx.data === '0x') return nativeFault(chain, tx)
  const rules = chain.calls.filter(({ contract }) => contract === tx.to)
  if (rules.length === 0) return refuse('contract_not_allowed', `the key may not call ${tx.to}`)
  const selector = tx.data.slice(0, 10)
  const rule = rules.find((each) => isFor(each, tx, selector))
  if (rule === undefined) return refuse('call_not_allowed', `the key may not call ${selector} of ${tx.to}`)
  if (tx.value !== 0n) return refuse('value_not_allowed', 'a call carries no native coin')
  if (rule.call === 'exact') return undefined
  const call = readCall(tx.data)
  if (call === undefined)
    return refuse('call_not_allowed', `the arguments of ${selector} are not well formed`)
  return rule.call === 'transfer' ? transferFault(key, rule, call) : sweepFault(rule, call)
}

function isFor(rule: CallRule, { data }: Transaction, selector: string): boolean {
  if (rule.call === 'exact') return keccak(data) === rule.dataHash
  return selector === (rule.call === 'transfer' ? transferSelector : sweepSelector)
}

function nativeFault({ native }: ChainPolicy, { to, value }: Transaction): Refusal | undefined {
  if (native === undefined) return refuse('value_not_allowed', 'the key may not send native coin')
  if (!native.to.includes(to)) return refuse('recipient_not_allowed', `native coin may not go to ${to}`)
  if (value === 0n) return refuse('amount_not_allowed', 'nothing would be sent')
  if (native.maxPerTransfer !== undefined && value > native.maxPerTransfer)
    return refuse('amount_not_allowed', `${value} is over ${native.maxPerTransfer} for one transfer`)
  return undefined
}

const zeroAddress: Address = `0x${'0'.repeat(40)}`

function transferFault(key: KeyPolicy, rule: TransferRule, call: Call): Refusal | undefined {
  if (call.call !== 'transfer') return refuse('call_not_allowed', 'this is no transfer')
  const { to, amount } = call
  // Coins at the token or at zero are lost, and a payment to the key itself pays no recipient.
  const isNobody = to === zeroAddress || to === rule.contract || to === key.address
  if (isNobody || rule.notTo?.includes(to) === true || rule.to?.includes(to) === false)
    return refuse('recipient_not_allowed', `coins may not go to ${to}`)
  if (amount === 0n) return refuse('amount_not_allowed', 'nothing would be sent')
  if (rule.maxPerTransfer !== undefined && amount > rule.maxPerTransfer)
    return refuse('amount_not_allowed', `${amount} is over ${rule.maxPerTransfer} for one transfer`)
  return undefined
}

function sweepFault(rule: Extract<CallRule, { call: 'sweep' }>, call: Call): Refusal | undefined {
  if (call.call !== 'sweep') return refuse('call_not_allowed', 'this is no sweep')
  if (rule.tokens?.includes(call.token) === false)
    return refuse('call_not_allowed', `the token ${call.token} may not be swept`)
  return undefined
}

/**
 * A cancellation moves nothing, but it prevents a payout, so the operator must name its nonce. A nonce that was never signed has
 * nothing to cancel; such a gap may be filled if the policy allows it.
 */
function cancelFault(chain: ChainPolicy, history: SignedHistory, tx: Transaction): Refusal | undefined {
  const bound = history.bound(tx)
  const isRepeated = bound !== undefined && (bound.isCanceled || bound.payload === payloadOf(tx))
  const isGap = bound === undefined && chain.fillGaps === true
  if (isRepeated || isGap || chain.cancelNonces?.includes(tx.nonce) === true) return undefined
  return refuse('cancel_not_allowed', `the operator has not allowed to cancel nonce ${tx.nonce}`)
}

function nonceFault(history: SignedHistory, tx: Transaction): Refusal | undefined {
  const bound = history.bound(tx)
  if (bound === undefined) return undefined
  if (bound.payload !== payloadOf(tx))
    return refuse(
      'nonce_used',
      `nonce ${tx.nonce} belongs to ${bound.reference}, which is another transaction`,
    )
  if (bound.isCanceled) return refuse('nonce_canceled', `nonce ${tx.nonce} was canceled`)
  return undefined
}

function feeFault({ maxGas, maxFeePerGas }: ChainPolicy, tx: Transaction): Refusal | undefined {
  if (tx.gas > maxGas) return refuse('gas_too_high', `${tx.gas} gas is over ${maxGas}`)
  const price = feePerGasOf(tx)
  if (price > maxFeePerGas) return refuse('fee_too_high', `${price} wei for one gas is over ${maxFeePerGas}`)
  return undefined
}

function referenceFault(history: SignedHistory, tx: Transaction): Refusal | undefined {
  const slot = history.reference(tx.reference)
  const bound = history.bound(tx)
  // A cancellation may carry the reference of what it cancels; a replacement keeps its own.
  if (slot !== undefined && !(slot.key === tx.key && slot.chainId === tx.chainId && slot.nonce === tx.nonce))
    return refuse(
      'reference_used',
      `${tx.reference} was signed as nonce ${slot.nonce} on chain ${slot.chainId}`,
    )
  if (bound !== undefined && !isCancel(tx) && bound.reference !== tx.reference)
    return refuse('nonce_used', `nonce ${tx.nonce} belongs to ${bound.reference}`)
  return undefined
}

function versionFault(history: SignedHistory, tx: Transaction): Refusal | undefined {
  const bound = history.bound(tx)
  if (bound === undefined || bound.versions.length < versionsMax) return undefined
  if (bound.versions.includes(versionOf(tx, bound))) return undefined
  return refuse('too_many_versions', `nonce ${tx.nonce} has ${versionsMax} versions`)
}

function capFault(
  chain: ChainPolicy,
  history: SignedHistory,
  tx: Transaction,
  at: number,
): Refusal | undefined {
  const bound = history.bound(tx)
  const spending = spendingOf(tx)
  // Its amount was counted when its nonce was first used.
  if (bound === undefined && spending !== undefined) {
    const cap = capOf(chain, spending.what)
    const sum = history.spent(tx, spending.what, at) + spending.amount
    if (cap !== undefined && sum > cap)
      return refuse('daily_cap_exceeded', `${sum} of ${spending.what} in 24 hours would be over ${cap}`)
  }
  const fee = worstFeeOf(tx) - (bound?.feeMax ?? 0n)
  if (chain.maxFeesPerDay === undefined || fee <= 0n) return undefined
  const fees = history.spent(tx, 'fees', at) + fee
  if (fees <= chain.maxFeesPerDay) return undefined
  return refuse(
    'daily_fee_cap_exceeded',
    `${fees} wei of fees in 24 hours would be over ${chain.maxFeesPerDay}`,
  )
}

/** The daily cap on a token or the native coin; undefined where no rule has one. */
export function capOf(chain: ChainPolicy, what: Spending): bigint | undefined {
  if (what === 'fees') return chain.maxFeesPerDay
  if (what === 'native') return chain.native?.maxPerDay
  return transferRuleOf(chain, what)?.maxPerDay
}

/** The cap on one transfer of a token or of the native coin; undefined where no rule has one. */
export function eachOf(chain: ChainPolicy, what: Spending): bigint | undefined {
  if (what === 'fees') return undefined
  if (what === 'native') return chain.native?.maxPerTransfer
  return transferRuleOf(chain, what)?.maxPerTransfer
}

function transferRuleOf({ calls }: ChainPolicy, token: Address): TransferRule | undefined {
  return calls.find((rule): rule is TransferRule => rule.call === 'transfer' && rule.contract === token)
}

function refuse(code: RefusalCode, reason: string): Refusal {
  return { code, reason }
}
