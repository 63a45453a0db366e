// Faults in the gate for money that leaves: what its table and its one decision keep in.
import type { Fault } from './fault.ts'
import { planted } from './planted.ts'

const subAccounts = 'test/contract/money-of-sub-accounts.test.ts'
const law = 'test/laws/ways-out.test.ts'
const atOnce = 'test/laws/ways-out-together.test.ts'

export const moneyOutFaults: readonly Fault[] = [
  ...planted('withdrawals', 'src/withdrawals/request-batch.ts', atOnce, [
    {
      what: 'two batches of one moment pay out twice what a day allows',
      find: '      keepAccepted(view, withdrawals)\n',
      put: '',
    },
  ]),
  ...planted('withdrawals', 'src/withdrawals/request.ts', atOnce, [
    {
      what: 'two withdrawals of one moment pay out twice what a day allows',
      find: '      keepAccepted(view, [change])\n',
      put: '',
    },
  ]),
  ...planted('withdrawals', 'src/withdrawals/schedule-run.ts', atOnce, [
    {
      what: 'two schedules of one moment pay out twice what a day of their platform allows',
      find: '      if (withdrawal !== undefined) keepAccepted(view, [withdrawal])\n',
      put: '',
    },
  ]),
  ...planted('refunds', 'src/refunds/request.ts', atOnce, [
    {
      what: 'two refunds of one moment pay out twice what a day allows',
      find: '  if (leaving !== undefined) noteSpent(view.spent, view.rules.facts, outgoingOf(view.rules, leaving))\n',
      put: '',
    },
  ]),
  ...planted('withdrawals', 'src/withdrawals/terms.ts', atOnce, [
    {
      what: 'a person is shown the limits of their own merchant alone, and not those of its parent',
      find: 'parent === undefined ? [] :',
      put: 'parent !== undefined ? [] :',
    },
  ]),
  ...planted('withdrawals', 'src/wallets/family.ts', law, [
    {
      what: 'who gives a transfer grant takes by it',
      find: "if (objection !== undefined) return { kind: 'objected', objection }",
      put: "if (objection === 'unknown_person') return { kind: 'objected', objection }",
    },
  ]),
  ...planted('withdrawals', 'src/money-out/gate.ts', subAccounts, [
    {
      what: 'a parent takes its sub-account’s money to wherever it wants, by a refund or a withdrawal',
      find: "if (isAsked(way, 'asker') && !isListed",
      put: 'if (false && !isListed',
    },
    {
      what: 'a refund to another place passes as one to the payer',
      find: 'payer !== undefined && payer === place',
      put: 'payer !== undefined',
    },
    {
      what: 'a refund leaves a SUSPENDED sub-account to a place that is not the payer’s',
      find: "const act = isBack ? 'refund' : actOf[way]",
      put: "const act = isBack || way === 'REFUND_SENT' ? 'refund' : actOf[way]",
    },
    {
      what: 'a large amount in many parts needs nobody',
      find: 'return above !== undefined && sumMinor > above',
      put: 'return above !== undefined && sumMinor > above && false',
    },
    {
      what: 'a schedule forgets what was paid today',
      find: 'dayMinor - (spent.get(key) ?? 0n)',
      put: 'dayMinor',
    },
  ]),
  ...planted('withdrawals', 'src/money-out/facts.ts', subAccounts, [
    {
      what: 'a batch is asked one by one before it is sent',
      find: 'batched.length === 0 ? [] : selectBatchSums(tx, batched)',
      put: '[]',
    },
    {
      what: 'what a sub-account pays out does not count to the limits of its parent',
      find: '...(parentId === undefined ? [] : [{ ...counted, merchantId: parentId }])',
      put: '...(parentId === undefined ? [] : [])',
    },
  ]),
  ...planted('withdrawals', 'src/withdrawals/request-batch.ts', subAccounts, [
    {
      what: 'a batch waits only when one of its withdrawals does',
      find: 'isBatchLarge(facts, first, sumMinor)',
      put: 'isBatchLarge(facts, first, first.amountMinor)',
    },
  ]),
  ...planted('withdrawals', 'src/money-out/ways.ts', law, [
    {
      what: 'a platform takes by its grant from an account that may pay out nothing',
      find: "TAKEN: 'transferOut'",
      put: "TAKEN: 'ownTransfer'",
    },
  ]),
  ...planted('withdrawals', 'src/money-out/gate.ts', law, [
    {
      what: 'a frozen platform pays out through its sub-account',
      find: 'return asksFrozen || account?.isIndebted',
      put: 'return account?.isIndebted',
    },
    {
      what: 'a schedule pays to a destination that was taken off the list',
      find: "if (way === 'SCHEDULE' && !isListed) return unlisted",
      put: "if (way === 'SCHEDULE' && !isListed && false) return unlisted",
    },
  ]),
  ...planted('withdrawals', 'src/money-out/ways.ts', law, [
    {
      what: 'a platform takes from a frozen sub-account',
      find: "TAKEN: {\n    freeze: 'refused',",
      put: 'TAKEN: {\n    freeze: inTheBooks,',
    },
  ]),
]
