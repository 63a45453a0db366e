// Planted faults about our fee on shares: whose it is, how often it is paid, and that verify computes it itself.
import type { Fault } from './fault.ts'
import { planted } from './planted.ts'

const law = 'test/laws/share-fees.test.ts'

export const shareFeeFaults: readonly Fault[] = [
  ...planted('fees', 'src/settlement/shares.ts', law, [
    {
      what: 'a share that is given again after a dispute or a refund pays the fees of the whole payment',
      find: '    waits: { minor: back, returns: true },',
      put: '    waits: { minor: back, returns: true }, feeMinor: payment.feeMinor,',
    },
    {
      what: 'a share of new money pays no fee',
      find: '{ ...booking, feeMinor: fees }',
      put: 'booking',
    },
  ]),
  ...planted('fees', 'src/payments/shares.ts', 'src/payments/shares.test.ts', [
    {
      what: 'the fee of a duplicate is the share’s',
      find: '  if (isDuplicate) return paid\n',
      put: '',
    },
    {
      what: 'the fee of money beyond the amount is paid by a later share',
      find: '(payment.receivedMinor < payment.amountMinor ? maxOf(payment.feeMinor, paid) : paid)',
      put: 'maxOf(payment.feeMinor, paid)',
    },
  ]),
  ...planted('fees', 'src/payments/shares.ts', law, [
    {
      what: 'the rest of a fee that a first part could not pay is never paid',
      find: '(payment.receivedMinor < payment.amountMinor ? maxOf(payment.feeMinor, paid) : paid)',
      put: 'paid',
    },
  ]),
  ...planted('fees', 'src/audit/settlement/share-fees.ts', law, [
    {
      what: 'verify lets a share pay more of our fee than the terms make it',
      find: 'if (feeMinor === expected) return []',
      put: 'if (feeMinor >= expected) return []',
    },
    {
      what: 'verify does not know the rest of a fee that an earlier part could not pay',
      find: 'now.came < amount ? most(now.charged - now.expected, 0n) : 0n',
      put: 'now.came > amount ? most(now.charged - now.expected, 0n) : 0n',
    },
  ]),
]
