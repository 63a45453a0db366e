// Faults in what the states of a sub-account let it start, and in what becomes of money that comes for a closed one.
import type { Fault } from './fault.ts'
import { planted } from './planted.ts'

export const closedFaults: readonly Fault[] = [
  ...planted('settlement', 'src/wallets/parent-debt.ts', 'src/wallets/passed-on.test.ts', [
    {
      what: 'what comes for a closed sub-account stays there',
      find: "const takesAll = receiverIn(state) === 'PARENT'",
      put: 'const takesAll = false as boolean && receiverIn(state)',
    },
    {
      what: 'what repaid the parent goes on to it a second time',
      find: 'passOn(passing, free - minor)',
      put: 'passOn(passing, free)',
    },
  ]),
  ...planted('settlement', 'src/wallets/passed-on.ts', 'src/wallets/passed-on.test.ts', [
    {
      what: 'money goes on to the parent without a row of the transfer',
      find: 'rows.length > 0 && insertOwnTransfers(batch.tx, rows)',
      put: 'rows.length < 0 && insertOwnTransfers(batch.tx, rows)',
    },
    {
      what: 'nobody is told that money went on to the parent',
      find: 'events: [...events, ...announced]',
      put: 'events: [...events, ...announced.slice(announced.length)]',
    },
  ]),
  ...planted(
    'settlement',
    'src/settlement/credit-found-coins.ts',
    'src/settlement/credit-found-coins.test.ts',
    [
      {
        what: 'found coins of a closed sub-account stay there',
        find: '    repays: {',
        put: '    ...false && {',
      },
    ],
  ),
  ...planted('keys', 'src/merchants/key-queries.ts', 'test/contract/account-states.test.ts', [
    {
      what: 'the keys of a closed sub-account are valid',
      find: 'and sub_account.state = any (${list(statesWithoutKeys)}::text[]))`',
      put: 'and sub_account.state = any (${list(statesWithoutKeys.slice(1))}::text[]))`',
    },
  ]),
  ...planted('settlement', 'src/payments/queries.ts', 'test/contract/account-states.test.ts', [
    {
      what: 'a SUSPENDED sub-account makes payments',
      find: "<> all (${list(statesWithout('payment'))}::text[])",
      put: "<> all (${list(statesWithout('paymentOpening'))}::text[])",
    },
  ]),
  ...planted('settlement', 'src/payment-links/create.ts', 'test/contract/account-states.test.ts', [
    {
      what: 'a SUSPENDED sub-account makes payment links',
      find: "requireStart(await lockState(tx, merchant.id), 'paymentLink')",
      put: "requireStart(await lockState(tx, merchant.id), 'setting')",
    },
  ]),
  ...planted('settlement', 'src/merchants/sub-account-queries.ts', 'test/contract/account-states.test.ts', [
    {
      what: 'a sub-account is closed while a payer can still pay',
      find: "status in ('PENDING', 'WAITING_PAYMENT', 'APPROVED')",
      put: "status in ('PENDING', 'APPROVED')",
    },
    {
      what: 'a sub-account is closed while it owes something',
      find: "array['receivable:', 'owes:', 'owed:']",
      put: "array['owed:']",
    },
    {
      what: 'a sub-account is closed while a paused schedule can go on',
      find: "status <> 'ENDED'",
      put: "status = 'ACTIVE'",
    },
  ]),
  ...planted('keys', 'src/http/account-acts.ts', 'test/contract/account-states.test.ts', [
    {
      what: 'a parent starts something in a closed sub-account by the header',
      find: "if (state === 'CLOSED' && isRefusedWhenClosed(called))",
      put: "if (state === 'SUSPENDED' && isRefusedWhenClosed(called))",
    },
  ]),
  ...planted('settlement', 'src/operator/close-sub-account.ts', 'test/contract/close-by-operator.test.ts', [
    {
      what: 'grants are ended of an account that stays open',
      find: 'if (refusal !== undefined) throw refusal',
      put: 'void refusal',
    },
    {
      what: 'the operator closes over grants that stay in force',
      find: "open.filter(({ what }) => what !== 'transfer_grant')",
      put: 'open.filter(() => true)',
    },
  ]),
  ...planted('settlement', 'src/operator/close-sub-account.ts', 'test/dashboard/operator-interest.test.ts', [
    {
      what: 'an operator who is a member of the parent closes its sub-account',
      find: 'await requireAlone(sql, operator, [id])',
      put: 'await requireAlone(sql, operator, [])',
    },
  ]),
  ...planted('settlement', 'src/operator/pass-on-kept.ts', 'src/wallets/pass-on-kept.test.ts', [
    {
      what: 'an operator who is a member of the parent moves the money of its closed sub-account to it',
      find: 'await requireAlone(sql, operator, [id])',
      put: 'await requireAlone(sql, operator, [])',
    },
  ]),
  ...planted('settlement', 'src/wallets/pass-on-kept.ts', 'src/wallets/pass-on-kept.test.ts', [
    {
      what: 'the operator empties a sub-account that is not closed',
      find: "if (receiverIn(state) !== 'PARENT') return",
      put: "if (receiverIn(state) !== 'PARENT' && receiverIn(state) !== 'OWN') return",
    },
    {
      what: 'frozen money goes on to the parent',
      find: "(id) => stopOf({ freezes }, { way: 'TAKEN', merchantId: id }) !== undefined",
      put: "(id) => stopOf({ freezes: freezes.slice(freezes.length) }, { way: 'TAKEN', merchantId: id }) !== undefined",
    },
    {
      what: 'only the first wallet of a closed sub-account is emptied',
      find: 'full.flatMap((wallet) => {',
      put: 'full.slice(0, 1).flatMap((wallet) => {',
    },
  ]),
  ...planted('settlement', 'src/audit/wallets-queries.ts', 'src/wallets/pass-on-kept.test.ts', [
    {
      what: 'verify believes that the operator moved what a closed account had',
      find: "where audit_log.subject = 'transfer:' || own.id",
      put: 'where audit_log.subject is not null',
    },
  ]),
]
