// Wallets, their statement and reports.
import { Type as T } from 'typebox'
import { count, instant, oneOf, signedSum, sum, uuid, version } from '#/kernel/schema.ts'
import { about, currency, currencyIn, idempotencyKey, text } from './words.ts'

/** A RESERVE wallet accepts no withdrawals. */
export const walletTypes = ['SPENDABLE', 'RESERVE'] as const

/** What moves a balance, as the statement names it. */
export const statementKinds = [
  'PAYMENT',
  'FEE',
  'REFUND',
  'REFUND_RETURNED',
  'WITHDRAWAL',
  'WITHDRAWAL_RETURNED',
  'TRANSFER',
  'DISPUTE',
  'DISPUTE_WON',
  'RELEASE',
  'RECEIVABLE_REPAID',
  'SHARE',
  'SHARE_FEE',
  'SHARE_RETURNED',
  'SHARE_REPAID',
  'ADJUSTMENT',
] as const

export const intervals = ['DAY', 'WEEK', 'MONTH'] as const

const walletType = oneOf('WalletType', walletTypes, 'RESERVE pays no withdrawals.')
export const statementEntryKind = oneOf(
  'StatementEntryKind',
  statementKinds,
  'What moved the balance. New ones may be added.',
)
export const historyInterval = oneOf('BalanceHistoryInterval', intervals, 'What one row stands for.')

const balances = {
  balance: sum('Can be withdrawn now.'),
  pendingBalance: sum('Incoming: not final, or not released.'),
  heldBalance: sum('Set aside for withdrawals, refunds and disputes.'),
}

export const wallet = T.Object(
  {
    id: uuid(),
    currency,
    label: T.String(),
    walletType,
    isDefault: T.Boolean({ description: 'Money received in the currency is credited here.' }),
    isActive: T.Boolean(),
    version: about(
      version,
      'Grows by one with each change of the wallet itself; balances change without it.',
    ),
    createdAt: instant(),
    ...balances,
    asOf: T.Optional(instant('With `at`: the instant of the balances.')),
  },
  { title: 'Wallet', description: 'A wallet with its balances, in minor units.' },
)

export const consolidated = T.Object(
  {
    data: T.Array(
      T.Object(
        {
          currency,
          ...balances,
          owed: sum('The merchant’s debt; later credits repay it first.'),
          owedToParent: T.Optional(
            sum(
              'Of a sub-account: shares that its parent covered. Whatever becomes available to it repays it.',
            ),
          ),
          owedBySubAccounts: T.Optional(sum('What sub-accounts owe you: shares that you covered.')),
          byWalletType: T.Array(
            T.Object({ walletType, ...balances }, { title: 'WalletTypeBalance', description: 'One type.' }),
          ),
        },
        { title: 'CurrencyBalance', description: 'One currency.' },
      ),
    ),
    asOf: instant(),
  },
  { title: 'ConsolidatedBalance', description: 'The sums of each currency over all wallets.' },
)

export const statementEntry = T.Object(
  {
    id: uuid(),
    walletId: uuid(),
    currency,
    kind: statementEntryKind,
    amount: signedSum('Signed: positive came in, negative went out.'),
    balance: sum('The wallet’s balance after this movement.'),
    postedAt: instant(),
    description: T.String(),
    label: T.Optional(T.String({ description: 'Of a share of a payment: what its platform called it.' })),
    paymentId: T.Optional(uuid()),
    refundId: T.Optional(uuid()),
    withdrawalId: T.Optional(uuid()),
    transferId: T.Optional(uuid()),
    disputeId: T.Optional(uuid()),
  },
  { title: 'StatementEntry', description: 'One posted movement of a wallet’s available balance.' },
)

export const walletRequest = T.Object(
  {
    currency: currencyIn('The currency of the wallet.'),
    walletType,
    label: text(100, 'A name for people.'),
    idempotencyKey: T.Optional(idempotencyKey),
  },
  { title: 'CreateWalletRequest', additionalProperties: false },
)

export const walletChange = T.Object(
  {
    label: T.Optional(text(100, 'A name for people.')),
    isActive: T.Optional(
      T.Boolean({ description: 'An inactive wallet pays nothing; what comes in is still credited.' }),
    ),
  },
  { title: 'ChangeWalletRequest', additionalProperties: false },
)

export const summary = T.Object(
  {
    from: instant('Inclusive.'),
    to: instant('Exclusive.'),
    data: T.Array(
      T.Object(
        {
          currency,
          openingBalance: sum('Before the first movement.'),
          inflow: sum('All that came in, without transfers between own wallets.'),
          outflow: sum('All that went out, without transfers between own wallets.'),
          net: signedSum('`inflow` less `outflow`; also `closingBalance` less `openingBalance`.'),
          closingBalance: sum('After the last movement.'),
          byKind: T.Array(
            T.Object(
              {
                kind: statementEntryKind,
                count: count('Rows of the statement.'),
                inflow: sum('What came in.'),
                outflow: sum('What went out. A transfer between own wallets does both.'),
              },
              { title: 'KindSummary', description: 'One kind of movement.' },
            ),
          ),
        },
        { title: 'CurrencySummary', description: 'One currency.' },
      ),
    ),
  },
  { title: 'WalletSummary', description: 'What moved on the available balances of each currency’s wallets.' },
)

export const balanceHistory = T.Object(
  {
    interval: historyInterval,
    timeZone: T.String({ examples: ['America/Sao_Paulo'] }),
    data: T.Array(
      T.Object(
        {
          date: T.String({ format: 'date', description: 'The first day.' }),
          currency,
          walletId: T.Optional(uuid('Only in the history of one wallet.')),
          openingBalance: sum('At the start of the first day.'),
          inflow: sum(
            'What came in. For a currency without transfers between own wallets, for one wallet with them.',
          ),
          outflow: sum('What went out, likewise.'),
          closingBalance: sum('At the end of the last day, or now.'),
        },
        { title: 'BalanceHistoryEntry', description: 'One interval of one currency or wallet.' },
      ),
    ),
  },
  {
    title: 'BalanceHistory',
    description: 'Available balances day by day, week by week, or month by month, oldest first.',
  },
)
