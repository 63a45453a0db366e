// Faults in what moves a merchant's money: the ledger, settlement, refunds, disputes, withdrawals, fees.
import type { Fault } from './fault.ts'
import { planted } from './planted.ts'

const ledger: readonly Fault[] = [
  ...planted('ledger', 'src/ledger/apply.ts', 'src/ledger/apply.test.ts', [
    {
      what: 'a floor does not count for accounts that grow on the debit side',
      find: "account === debit ? account.side === 'CREDIT' : account.side === 'DEBIT'",
      put: "account === debit && account.side === 'CREDIT'",
    },
    {
      what: 'one minor unit may be missing',
      find: 'if (missing > 0n) return',
      put: 'if (missing > 1n) return',
    },
    {
      what: 'the next posting of the group does not use the changed balance',
      find: 'after.get(account.key) ?? before.balance(account)',
      put: 'before.balance(account)',
    },
    {
      what: 'what is repeated moves a second time',
      find: 'if (minor === 0n || earlier !== undefined) continue',
      put: 'if (minor === 0n) continue',
    },
    {
      what: 'another cause counts as the same content',
      find: '    earlier.cause.equals(cause) &&\n',
      put: '',
    },
    {
      what: 'another amount counts as the same content',
      find: '(upTo ? earlier.minor <= requested : earlier.minor === requested)',
      put: 'earlier.minor <= requested',
    },
    {
      what: 'a pot forgets what was deducted from it',
      find: 'pots.set(pot, requested - minor)',
      put: 'pots.set(pot, requested)',
    },
    {
      what: 'a transfer between two currencies is made',
      find: '  invariant(debit.currency === credit.currency, `a transfer from ${debit.currency} to ${credit.currency}`)\n',
      put: '',
    },
  ]),
  ...planted('ledger', 'src/ledger/chain.ts', 'src/ledger/chain.test.ts', [
    {
      what: 'the amount is not in the chain',
      find: 'debit, credit, minor, cause])',
      put: 'debit, credit, cause])',
    },
    { what: 'a batch does not commit to the one before it', find: '    .update(prev)\n', put: '' },
    {
      what: 'two lists of fields have the same bytes',
      find: 'scratch.writeUInt32BE(length, end)',
      put: 'scratch.writeUInt32BE(0, end)',
    },
    {
      what: 'the seals of audit entries are not in the chain',
      find: 'hmac.update(each)',
      put: 'void each',
    },
    {
      what: 'the reason of an audit entry is not sealed',
      find: 'afterHash, reason, address, requestId]',
      put: 'afterHash, address, requestId]',
    },
  ]),
  ...planted('ledger', 'src/ledger/recipes.ts', 'src/ledger/recipes.test.ts', [
    {
      what: 'a withdrawal that did not leave releases its amount and keeps the fee',
      find: "    { occasion, step: 'release-fee', kind: 'WITHDRAWAL_FEE', from: held, minor: fee },\n",
      put: '',
    },
  ]),
]

const refunds: readonly Fault[] = [
  ...planted('refunds', 'src/settlement/refund.ts', 'src/refunds/send.test.ts', [
    {
      what: 'an old answer that a refund is done completes it after it has failed',
      find: "if (!isLater) return same.length === 0 ? 'undecided' : 'repeated'",
      put: "if (!isLater && same.length > 0) return 'repeated'",
    },
  ]),
  ...planted('refunds', 'src/settlement/settle.ts', 'src/refunds/send.test.ts', [
    {
      what: 'a report that contradicts another one leaves the inbox undecided',
      find: "|| verdict === 'undecided'",
      put: '',
    },
  ]),
  ...planted('refunds', 'src/rails/sepa/match.ts', 'src/rails/sepa/refund.test.ts', [
    {
      what: 'a bank transfer that comes back with another amount ends its refund',
      find: 'minor === payout.minor && ',
      put: '',
    },
  ]),
  ...planted('refunds', 'src/rails/sepa/refund.ts', 'src/rails/sepa/refund.test.ts', [
    {
      what: 'a bank transfer that came back at once is never said to have left, so a late report of that takes it again',
      find: "payout.status === 'PENDING' ? [receiptOf(payout, 'DONE')] : []",
      put: '[]',
    },
  ]),
  ...planted('refunds', 'src/rails/sepa/payout-queries.ts', 'src/rails/sepa/payout-queries.test.ts', [
    {
      what: 'frozen money is put into a file of payments',
      find: "       and not is_frozen(merchant_id, 'SEPA')\n",
      put: '',
    },
  ]),
  ...planted('refunds', 'src/refunds/choose-piece.ts', 'src/refunds/choose-piece.test.ts', [
    {
      what: 'a refund is made at the very end of its window',
      find: 'at < addMs(happenedAt, refunds.windowMs - movedMs)',
      put: 'at <= addMs(happenedAt, refunds.windowMs - movedMs)',
    },
    {
      what: 'a refund with an address refunds money of any method',
      find: 'const meant = open.filter(({ method }) => isAllowed(method, request))',
      put: 'const meant = open',
    },
    {
      what: 'a piece refunds more than it has left',
      find: 'leftMinor >= minor)',
      put: 'leftMinor >= 1n)',
    },
    {
      what: 'money that came twice does not go back first',
      find: '  if (a.isDuplicate !== b.isDuplicate) return a.isDuplicate ? -1 : 1\n',
      put: '',
    },
    {
      what: 'the oldest money goes back first',
      find: 'b.happenedAt.getTime() - a.happenedAt.getTime()',
      put: 'a.happenedAt.getTime() - b.happenedAt.getTime()',
    },
  ]),
  ...planted('refunds', 'src/refunds/request.ts', 'src/settlement/release.test.ts', [
    {
      what: 'a refund debits twice what was not released',
      find: 'unreleasedMinor: waiting - unreleasedMinor }',
      put: 'unreleasedMinor: waiting }',
    },
  ]),
]

const settlement: readonly Fault[] = [
  ...planted('settlement', 'src/payments/initiate.ts', 'src/payments/pay-rest.test.ts', [
    {
      what: 'a charge for the rest is opened beside one that can be paid',
      find: 'if (unclosed.length > 0) return',
      put: 'if (unclosed.length > 100) return',
    },
    {
      what: 'a charge for what was missing earlier is shown for the rest',
      find: '      isForRest(attempt, payment) &&\n',
      put: '',
    },
    {
      what: 'the charge for the rest is for the whole amount',
      find: 'item.rest === true ? missingMinor(payment) : payment.amountMinor',
      put: 'payment.amountMinor',
    },
    {
      what: 'after a part came, a charge for the whole amount is offered again',
      find: "  if (opensAt === 'REQUEST' && hasPart !== (rest === true)) return false\n",
      put: '',
    },
  ]),
  ...planted('settlement', 'src/payments/pay-rest.ts', 'src/payments/pay-rest.test.ts', [
    {
      what: 'a charge that its bank did not end counts as ended',
      find: 'if (!isOver || !isBooked)',
      put: 'if (!isBooked)',
    },
    {
      what: 'the rest is computed without the money of the ended charge',
      find: 'const isBooked = paid.every(',
      put: 'const isBooked = paid.some(() => true) || paid.every(',
    },
  ]),
  ...planted('settlement', 'src/settlement/settle.ts', 'src/settlement/inbox.test.ts', [
    {
      what: 'a settled signal stays in the inbox',
      find: '    deleteSignals(tx, signals),\n',
      put: '',
    },
  ]),
  ...planted('settlement', 'src/settlement/decision.ts', 'src/settlement/suspend.test.ts', [
    {
      what: 'the same receipt that fits nothing counts twice in one batch',
      find: '  recorded.add(receiptKey(receipt))\n',
      put: '',
    },
  ]),
  ...planted('settlement', 'src/settlement/suspend.ts', 'src/settlement/suspend.test.ts', [
    {
      what: 'money that fits no attempt is recorded and not booked',
      find: "receipt.outcome === 'paid' && minor > 0n",
      put: "receipt.outcome === 'paid' && minor > 1_000_000_000n",
    },
  ]),
  ...planted('settlement', 'src/settlement/settle.ts', 'src/settlement/settle-authorised.test.ts', [
    {
      what: 'what the provider declined counts as paid',
      find: '  declined: bookDecline,\n',
      put: '  declined: bookFinal,\n',
    },
  ]),
  ...planted('settlement', 'src/settlement/settle.ts', 'src/settlement/credit-currencies.test.ts', [
    {
      what: 'the wallet of a new currency is not kept',
      find: '    wallets.length > 0 && insertWallets(tx, wallets),\n',
      put: '',
    },
  ]),
]

const disputes: readonly Fault[] = [
  ...planted('settlement', 'src/settlement/accounts.ts', 'src/settlement/accounts.test.ts', [
    {
      what: 'the other wallets that a dispute debits are not loaded',
      find: '  return Object.values(accounts).flat()\n',
      put: '  return Object.values(accounts).filter((account) => !Array.isArray(account))\n',
    },
  ]),
  ...planted('disputes', 'src/ledger/recipes.ts', 'src/disputes/dispute.test.ts', [
    {
      what: 'a won dispute returns money that the provider never took',
      find: 'isTaken ? minor : 0n',
      put: 'minor',
    },
  ]),
  ...planted('disputes', 'src/settlement/dispute.ts', 'test/laws/debts.test.ts', [
    {
      what: 'the fee of a dispute is charged with each report about it',
      find: 'const fee = feeMinor - dispute.feeMinor',
      put: 'const fee = feeMinor',
    },
  ]),
  ...planted('disputes', 'src/settlement/dispute.ts', 'src/disputes/dispute.test.ts', [
    {
      what: 'a dispute holds nothing',
      find: 'recipes.disputeHeld(occasionOfVersion(receipt, dispute), from, minor)',
      put: 'recipes.disputeHeld(occasionOfVersion(receipt, dispute), from, 0n)',
    },
    {
      what: 'what was taken leaves a second time when the dispute is lost',
      find: 'recipes.heldLeft(occasion, accounts, dispute.isTaken ? 0n : minor)',
      put: 'recipes.heldLeft(occasion, accounts, minor)',
    },
    {
      what: 'a dispute that was won is not announced',
      find: "back, 'dispute.won')",
      put: 'back, undefined)',
    },
    {
      what: 'a won dispute leaves its amount disputed',
      find: 'const disputedMinor = standing.disputedMinor - minor',
      put: 'const disputedMinor = standing.disputedMinor',
    },
  ]),
  ...planted('disputes', 'src/settlement/dispute.ts', 'src/disputes/queries-rounds.test.ts', [
    {
      what: 'what is disputed again after it was won is not held',
      find: "isAgain && status === 'WON' ? hold(report, again) : again",
      put: 'again',
    },
    {
      what: 'a late report of an earlier round ends the present one',
      find: "outcome === 'dispute_opened' || occurrence < round) return false",
      put: "outcome === 'dispute_opened') return false",
    },
  ]),
]

const withdrawals: readonly Fault[] = [
  ...planted('withdrawals', 'src/money-out/limits.ts', 'src/withdrawals/withdrawal.test.ts', [
    {
      what: 'the limit of a day is that of each withdrawal',
      find: 'spentMinor + amountMinor > dayMinor',
      put: 'amountMinor > dayMinor',
    },
    {
      what: 'no second person has to approve',
      find: 'approvalAboveMinor !== null && amountMinor > approvalAboveMinor',
      put: 'false',
    },
    {
      what: 'an address that is not listed is paid',
      find: 'if (listedOnly && !isListed)',
      put: 'if (false)',
    },
  ]),
  ...planted('withdrawals', 'src/withdrawals/accept.ts', 'src/http/withdrawals.test.ts', [
    {
      what: 'a wallet that may not be spent from is',
      find: "return walletType === 'SPENDABLE' && isActive",
      put: 'return isActive',
    },
  ]),
  ...planted('withdrawals', 'src/withdrawals/send.ts', 'src/withdrawals/send.test.ts', [
    {
      what: 'after an hour of silence no person is called for',
      find: 'addMs(firstClaimedAt, silenceMs) < claimedAt',
      put: 'addMs(firstClaimedAt, silenceMs * 1_000) < claimedAt',
    },
    {
      what: 'a withdrawal that was sent before is sent as a new one',
      find: '.send(order, lastSentAt !== null)',
      put: '.send(order, false)',
    },
  ]),
]

const fees: readonly Fault[] = [
  ...planted('withdrawals', 'src/withdrawals/accept.ts', 'src/http/withdrawals-left.test.ts', [
    {
      what: 'a merchant pays twice for a withdrawal that a restore lost and that is sent again under its key',
      find: 'if (rules.departed.has(reference))',
      put: 'if (false)',
    },
  ]),
  ...planted('withdrawals', 'src/wallets/family.ts', 'test/contract/transfer-grants.test.ts', [
    {
      what: 'a platform takes more than its grant allows',
      find: 'takenMinor + minor > maxMinor',
      put: 'minor > maxMinor',
    },
    {
      what: 'a grant that has expired is still taken by',
      find: "grantStatus(grant, now) !== 'ACTIVE'",
      put: 'grant.revokedAt !== null',
    },
    {
      what: 'a frozen platform pays out by its sub-account',
      find: "({ way: 'GIVEN', merchantId: parentId, account: state } as const)",
      put: "({ way: 'GIVEN', merchantId: id, account: state } as const)",
    },
    {
      what: 'a platform takes from a sub-account of another',
      find: 'account?.parentId === merchantId ? account : undefined',
      put: 'account',
    },
  ]),
  ...planted('keys', 'src/merchants/queries.ts', 'test/contract/transfer-grants.test.ts', [
    {
      what: 'a key that the parent made is one of the sub-account’s own',
      find: 'first.merchant_id = wanted.merchant_id and first.id = coalesce(api_key.lineage, api_key.id)',
      put: 'first.merchant_id = wanted.merchant_id and first.id = api_key.id',
    },
  ]),
  ...planted('settlement', 'src/settlement/incoming.ts', 'src/settlement/shares.test.ts', [
    {
      what: 'a piece that our fee uses up is waited for, and its shares never come',
      find: 'delayMs > 0 && due < arrived',
      put: 'delayMs > 0',
    },
  ]),
  ...planted('fees', 'src/merchants/fee.ts', 'src/merchants/fee.test.ts', [
    { what: 'the fixed part is paid with each piece', find: '/ 1_000_000n - charged', put: '/ 1_000_000n' },
    {
      what: 'the rate is of the last piece alone',
      find: '((received + arrived) * ratePpm)',
      put: '(arrived * ratePpm)',
    },
    { what: 'a piece pays more than it is', find: 'minOf(due, arrived)', put: 'due' },
    {
      what: 'a fee is refunded',
      find: 'return maxOf(minOf(due, arrived), 0n)',
      put: 'return minOf(due, arrived)',
    },
  ]),
]

export const bookFaults: readonly Fault[] = [
  ...ledger,
  ...refunds,
  ...settlement,
  ...disputes,
  ...withdrawals,
  ...fees,
]
