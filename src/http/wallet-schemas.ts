// The shapes of wallets, their statement and reports, and of transfers between them.
import { Type as T } from 'typebox'
import * as patterns from '#/contract/patterns.ts'
import {
  about,
  currency,
  currencyIn,
  documented,
  idempotencyKey,
  metadata,
  mode,
  text,
} from '#/contract/words.ts'
import { amount, amountIn, count, instant, oneOf, signedSum, sum, uuid, version } from '#/kernel/schema.ts'
import { intervals } from '#/wallets/calendar.ts'
import { statementKinds } from '#/wallets/statement.ts'
import { grantStatuses } from '#/wallets/transfer-grant.ts'
import { walletTypes } from '#/wallets/wallet.ts'

export const walletType = oneOf('WalletType', walletTypes, 'RESERVE pays no withdrawals.')
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

export const transferRequest = documented(
  T.Object(
    {
      fromWalletId: T.Optional(uuid('The wallet that pays. Needed unless `fromSubAccountId` is there.')),
      fromSubAccountId: T.Optional(
        uuid(
          'A sub-account of yours pays, by a transfer grant of its that stands: from `fromWalletId`, by default its default wallet.',
        ),
      ),
      toWalletId: T.Optional(
        uuid('The wallet that gets it, in the same currency. Needed unless `toSubAccountId` is there.'),
      ),
      toSubAccountId: T.Optional(
        uuid('A sub-account of yours gets it: in `toWalletId`, by default its default wallet.'),
      ),
      amount: amountIn,
      description: T.Optional(text(200, 'For people: shown in the statement, a sub-account’s too.')),
      metadata: T.Optional(metadata),
      idempotencyKey: T.Optional(idempotencyKey),
    },
    { title: 'CreateTransferRequest', additionalProperties: false },
  ),
  {
    allOf: [
      { anyOf: [{ required: ['fromWalletId'] }, { required: ['fromSubAccountId'] }] },
      { anyOf: [{ required: ['toWalletId'] }, { required: ['toSubAccountId'] }] },
    ],
    not: { required: ['fromSubAccountId', 'toSubAccountId'] },
  },
)

export const transfer = T.Object(
  {
    id: uuid(),
    mode,
    amount: amount('The amount that moved.'),
    currency,
    fromWalletId: T.Optional(uuid('Absent where it is one of your parent’s.')),
    toWalletId: T.Optional(uuid('Absent where it is one of your parent’s.')),
    fromSubAccountId: T.Optional(uuid('The sub-account of yours that paid.')),
    toSubAccountId: T.Optional(uuid('The sub-account of yours that got it.')),
    fromParent: T.Optional(T.Boolean({ description: 'Your parent paid: `true`, or absent.' })),
    toParent: T.Optional(
      T.Boolean({
        description: 'Your parent took it, or it came for you after you were closed: `true`, or absent.',
      }),
    ),
    grantId: T.Optional(uuid('The transfer grant by which it was taken from a sub-account.')),
    sourceId: T.Optional(
      uuid(
        'Money that came for a closed sub-account and went on to its parent: the payment, withdrawal or other record whose money it was, or the sub-account itself when the operator moved what it still had.',
      ),
    ),
    description: T.Optional(T.String()),
    metadata: T.Optional(metadata),
    version: about(version, 'Always 1: a transfer never changes.'),
    createdAt: instant(),
  },
  {
    title: 'Transfer',
    description:
      'Money that moved between two wallets of one currency, at once and for good: both yours, or one of a sub-account of yours.',
  },
)

export const transferGrant = T.Object(
  {
    id: uuid(),
    mode,
    subAccountId: T.Optional(uuid('Who gave it. Absent where it is you.')),
    status: oneOf(
      'TransferGrantStatus',
      grantStatuses,
      'ACTIVE: it stands. USED_UP: `maxAmount` was taken. EXPIRED: `expiresAt` has come. REVOKED: the sub-account ended it, or the operator did, when closing the sub-account.',
    ),
    currency,
    maxAmount: T.Optional(amount('What may be taken, all transfers together.')),
    amountTaken: sum('What was taken by it.'),
    expiresAt: T.Optional(instant()),
    description: T.Optional(T.String()),
    createdAt: instant(),
    revokedAt: T.Optional(instant()),
    version,
  },
  {
    title: 'TransferGrant',
    description: 'A sub-account lets its parent take money from its wallets of one currency.',
  },
)

export const transferGrantRequest = documented(
  T.Object(
    {
      currency: currencyIn('Of the wallets that the parent may take from.'),
      maxAmount: T.Optional(about(amountIn, 'What may be taken in minor units, all transfers together.')),
      expiresAt: T.Optional(
        documented(T.String({ maxLength: 40, description: 'From then on nothing is taken by it.' }), {
          pattern: patterns.instant,
        }),
      ),
      description: T.Optional(text(200, 'For people: why.')),
      idempotencyKey: T.Optional(idempotencyKey),
    },
    { title: 'CreateTransferGrantRequest', additionalProperties: false },
  ),
  { anyOf: [{ required: ['maxAmount'] }, { required: ['expiresAt'] }] },
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
