// Planted faults about splits before they are made, uses of payment links, and vouchers from a provider.
import type { Fault } from './fault.ts'
import { planted } from './planted.ts'

const splits = 'test/contract/splits.test.ts'
const links = 'src/checkout/link-page.test.ts'
const vouchers = 'src/rails/acquirer/local-open-methods.test.ts'

export const splitFaults: readonly Fault[] = [
  ...planted('settlement', 'src/payments/plan-split.ts', splits, [
    {
      what: 'a new payment is shared with a suspended sub-account',
      find: "else if (!mayStart(account.state, 'share'))",
      put: 'else if (account.parentId === account.id)',
    },
    {
      what: 'shares add up to more than the payment',
      find: "  if (!fits(shares, payment)) faults.push(fault('/splits', 'too_large', 'add up to more than the amount'))\n",
      put: '',
    },
    {
      what: 'the fee payer keeps less than our fee',
      find: 'return fees.every((fee) => fee <= kept)',
      put: 'return kept >= 0n',
    },
  ]),
  ...planted('settlement', 'src/payments/link-uses.ts', links, [
    {
      what: 'a link is used once more than it may be',
      find: 'uses >= link.usesMax',
      put: 'uses > link.usesMax',
    },
    {
      what: 'payers who press at the same time do not count each other’s uses of a link',
      find: 'taken.set(linkId, uses + 1)',
      put: 'taken.set(linkId, uses)',
    },
  ]),
  ...planted('settlement', 'src/payments/queries.ts', links, [
    {
      what: 'a payment that can still be paid takes no use of its link',
      find: "in ('PENDING', 'WAITING_PAYMENT', 'APPROVED', 'PAID')",
      put: "in ('APPROVED', 'PAID')",
    },
  ]),
  ...planted('banks', 'src/rails/acquirer/local-open.ts', vouchers, [
    {
      what: 'a payer is shown a Multibanco reference whose check digits are wrong',
      find: '    if (!isMultibancoReference(entity, reference, minor)) return undefined\n',
      put: '',
    },
    {
      what: 'a payer is shown a boleto of another amount',
      find: 'line?.amountMinor !== minor || isOverdue',
      put: 'line === undefined || isOverdue',
    },
    {
      what: 'a payer is shown a boleto that was due before',
      find: 'line?.amountMinor !== minor || isOverdue(line, madeAtOf(opening))',
      put: 'line?.amountMinor !== minor',
    },
  ]),
  ...planted(
    'banks',
    'src/rails/acquirer/boleto-line.ts',
    'src/rails/acquirer/boleto-line-check-digits.test.ts',
    [
      {
        what: 'a boleto whose fields have wrong check digits is one',
        find: '  if (!fields.every((field) => mod10(field.slice(0, -1)) === Number(field.at(-1)))) return undefined\n',
        put: '',
      },
    ],
  ),
]
