// Faults in what a sub-account owes its platform, and in the limits that both share.
import type { Fault } from './fault.ts'
import { planted } from './planted.ts'

export const familyFaults: readonly Fault[] = [
  ...planted('settlement', 'src/settlement/settle.ts', 'test/laws/debts.test.ts', [
    {
      what: 'what a report makes available to a sub-account does not repay its platform',
      find: '[resumeRefunds, adjustShares, repayParents]',
      put: '[resumeRefunds, adjustShares]',
    },
  ]),
  ...planted('settlement', 'src/settlement/payout.ts', 'test/laws/debts.test.ts', [
    {
      what: 'a withdrawal that comes back does not repay the platform of a sub-account',
      find: "if (news.state !== 'refused' && news.state !== 'returned') return decidedNow",
      put: "if (news.state !== 'refused') return decidedNow",
    },
  ]),
  ...planted('settlement', 'src/wallets/parent-debt.ts', 'test/laws/debts.test.ts', [
    {
      what: 'a sub-account repays more than it owes',
      find: 'minOf(books.balance(accounts.owes), free)',
      put: 'free',
    },
  ]),
]
