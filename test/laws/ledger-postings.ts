// Random work for the books: few accounts, so that they are shared; small amounts, so that they run dry.
import { sha256 } from '#/kernel/secret.ts'
import type { Posting } from '#/ledger/apply.ts'
import { accounts } from '../books.ts'
import { fc } from '../chance.ts'

const currencies = ['BRL', 'USDT'] as const

/** Requested in both currencies: the first one to arrive keeps the account. */
const disputedName = 99

function accountsIn(currency: (typeof currencies)[number]) {
  const { bank, fees, owed, wallet } = accounts
  // A wallet has one currency. Now and then a posting names the same wallet with the other.
  const wallets = [1, 2].map((name) => wallet(10 * currencies.indexOf(currency) + name, currency))
  wallets.push(wallet(disputedName, currency))
  return [bank(currency), fees(currency), owed(currency), ...wallets]
}

const minor = fc.oneof(
  { arbitrary: fc.bigInt({ min: 0n, max: 120n }), weight: 8 },
  { arbitrary: fc.bigInt({ min: 0n, max: 2n ** 50n }), weight: 1 },
)

/** Some subjects and steps come again, with the same content or with other. */
export function postings(subjects: number): fc.Arbitrary<Posting> {
  return fc
    .record({
      currency: fc.constantFrom(...currencies),
      from: fc.nat(5),
      to: fc.nat(4),
      minor,
      subject: fc.nat(subjects - 1),
      step: fc.constantFrom('1', '2', '3'),
      kind: fc.constantFrom('TRANSFER', 'FEE'),
      cause: fc.constantFrom('a', 'b'),
      upTo: fc.boolean(),
      pot: fc.option(fc.constantFrom('p', 'q'), { nil: undefined, freq: 3 }),
    })
    .map(({ currency, from, to, upTo, pot, subject, cause, ...rest }) => {
      const all = accountsIn(currency)
      const debit = all[from] ?? accounts.bank(currency)
      const credit = all.filter((account) => account !== debit)[to] ?? accounts.bank(currency)
      return {
        ...rest,
        debit,
        credit,
        subject: `019a0000-0000-7000-8000-${subject.toString(16).padStart(12, '0')}`,
        cause: sha256(cause),
        ...(upTo ? { upTo } : {}),
        // A pot is of one currency.
        ...(pot === undefined ? {} : { pot: pot + currency }),
      }
    })
}

export const allAccounts = currencies.flatMap(accountsIn)
