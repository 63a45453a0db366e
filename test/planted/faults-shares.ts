// Faults in the shares of split payments.
import type { Fault } from './fault.ts'
import { planted } from './planted.ts'

export const shareFaults: readonly Fault[] = [
  ...planted('settlement', 'src/payments/book-shares.ts', 'src/settlement/release-shares.test.ts', [
    {
      what: 'a share is taken from the wallet although a part of it waits',
      find: 'minOf(back, unreleasedMinor)',
      put: '0n',
    },
    {
      what: 'what went back of a share is released all the same',
      find: 'minOf(released?.minors[index] ?? 0n, unreleasedMinor)',
      put: 'released?.minors[index] ?? 0n',
    },
    {
      what: 'a share that comes back waits although its money was released meanwhile',
      find: 'minOf(given, maxOf(remaining, 0n))',
      put: 'given',
    },
  ]),
  ...planted('settlement', 'src/settlement/release.ts', 'src/settlement/release-shares.test.ts', [
    {
      what: 'a release takes what still waits of the platform’s other money',
      find: 'minOf(release.minor - sharedMinor, money.unreleasedMinor)',
      put: 'minOf(release.minor, money.unreleasedMinor)',
    },
  ]),
  ...planted('settlement', 'src/settlement/shares.ts', 'src/settlement/release-shares.test.ts', [
    {
      what: 'debts are repaid before the fee payer pays our fee',
      find: '    ...fees,\n    ...platform.filter(isFee),\n    ...repaid,',
      put: '    ...repaid,\n    ...fees,\n    ...platform.filter(isFee),',
    },
  ]),
  ...planted('refunds', 'src/settlement/held-back.ts', 'src/settlement/release-shares.test.ts', [
    {
      what: 'what the recipients of a split wait for comes back a second time, and waits for ever',
      find: 'unreleasedMinor + unreleasedShares(splits.get(refund.paymentId))',
      put: 'unreleasedMinor',
    },
  ]),
]
