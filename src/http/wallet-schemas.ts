// The shapes of wallets, their statement and reports, and of transfers between them.
import { Type as T } from 'typebox'
import { intervals } from '#/wallets/calendar.ts'
import { statementKinds } from '#/wallets/statement.ts'
import { walletCurrencies, walletTypes } from '#/wallets/wallet.ts'
import {
  amountIn,
  currencyOut,
  idempotencyKey,
  instant,
  metadata,
  minor,
  mode,
  oneOf,
  text,
  uuid,
} from './schemas.ts'

const balances = {
  balance: minor('What can be withdrawn now.'),
  pendingBalance: minor('Incoming: not final, or not released.'),
  heldBalance: minor('Set aside for withdrawals, refunds and disputes.'),
}

export const wallet = T.Object(
  {
    id: uuid(),
    currency: currencyOut,
    label: T.String(),
    walletType: oneOf(walletTypes),
    isDefault: T.Boolean({ description: 'Money received in the currency is credited here.' }),
    isActive: T.Boolean(),
    createdAt: instant(),
    ...balances,
    asOf: T.Optional(instant('With `at`: the instant of the balances.')),
  },
  { description: 'A wallet with its balances, in minor units.' },
)

export const consolidated = T.Object(
  {
    data: T.Array(
      T.Object({
        currency: currencyOut,
        ...balances,
        owed: minor('What the merchant owes; later credits repay it first.'),
        byWalletType: T.Array(T.Object({ walletType: oneOf(walletTypes), ...balances })),
      }),
    ),
    asOf: instant(),
  },
  { description: 'The sums of each currency over all wallets.' },
)

export const statementEntry = T.Object(
  {
    id: uuid(),
    walletId: uuid(),
    currency: currencyOut,
    kind: oneOf(statementKinds),
    amount: minor('Signed: positive came in, negative went out.'),
    balance: minor('The wallet’s balance after this movement.'),
    postedAt: instant(),
    description: T.String(),
    paymentId: T.Optional(uuid()),
    refundId: T.Optional(uuid()),
    withdrawalId: T.Optional(uuid()),
    transferId: T.Optional(uuid()),
    disputeId: T.Optional(uuid()),
  },
  { description: 'One posted movement of a wallet’s available balance.' },
)

export const walletRequest = T.Object(
  {
    currency: T.String({
      minLength: 1,
      maxLength: 12,
      description: walletCurrencies.join(', '),
      examples: ['BRL'],
    }),
    walletType: oneOf(walletTypes, 'RESERVE takes no withdrawals.'),
    label: text(100, 'A name for people.'),
    idempotencyKey: T.Optional(idempotencyKey),
  },
  { additionalProperties: false },
)

export const walletChange = T.Object(
  {
    label: T.Optional(text(100, 'A name for people.')),
    isActive: T.Optional(
      T.Boolean({ description: 'An inactive wallet pays nothing; what comes in still lands.' }),
    ),
  },
  { additionalProperties: false },
)

export const transferRequest = T.Object(
  {
    fromWalletId: uuid('The wallet that pays.'),
    toWalletId: uuid('Another wallet of yours in the same currency.'),
    amount: amountIn,
    description: T.Optional(text(200, 'For people: shown in the statement.')),
    metadata: T.Optional(metadata),
    idempotencyKey: T.Optional(idempotencyKey),
  },
  { additionalProperties: false },
)

export const transfer = T.Object(
  {
    id: uuid(),
    mode,
    amount: minor('What moved.'),
    currency: currencyOut,
    fromWalletId: uuid(),
    toWalletId: uuid(),
    description: T.Optional(T.String()),
    metadata: T.Optional(metadata),
    createdAt: instant(),
  },
  { description: 'Money that moved between two own wallets of one currency, at once and for good.' },
)

export const summary = T.Object(
  {
    from: instant('Inclusive.'),
    to: instant('Exclusive.'),
    data: T.Array(
      T.Object({
        currency: currencyOut,
        openingBalance: minor('Before the first movement.'),
        inflow: minor('All that came in, without transfers between own wallets.'),
        outflow: minor('All that went out, without transfers between own wallets.'),
        net: minor('`inflow` less `outflow`; also `closingBalance` less `openingBalance`.'),
        closingBalance: minor('After the last movement.'),
        byKind: T.Array(
          T.Object({
            kind: oneOf(statementKinds),
            count: T.Integer({ description: 'Rows of the statement.' }),
            inflow: minor('What came in.'),
            outflow: minor('What went out. A transfer between own wallets does both.'),
          }),
        ),
      }),
    ),
  },
  { description: 'What moved on the available balances of each currency’s wallets.' },
)

export const balanceHistory = T.Object(
  {
    interval: oneOf(intervals),
    timeZone: T.String({ examples: ['America/Sao_Paulo'] }),
    data: T.Array(
      T.Object({
        date: T.String({ format: 'date', description: 'The first day.' }),
        currency: currencyOut,
        walletId: T.Optional(uuid('When one wallet was asked for.')),
        openingBalance: minor('At the start of the first day.'),
        inflow: minor(
          'What came in. Of a currency without transfers between own wallets, of a wallet with them.',
        ),
        outflow: minor('What went out, likewise.'),
        closingBalance: minor('At the end of the last day, or now.'),
      }),
    ),
  },
  { description: 'Available balances day by day, week by week, or month by month, oldest first.' },
)

/** Those that openapi.json gives a name to. */
export const namedWalletSchemas: ReadonlyMap<T.TSchema, string> = new Map<T.TSchema, string>([
  [wallet, 'Wallet'],
  [consolidated, 'ConsolidatedBalance'],
  [statementEntry, 'StatementEntry'],
  [transfer, 'Transfer'],
  [summary, 'Summary'],
  [balanceHistory, 'BalanceHistory'],
])
