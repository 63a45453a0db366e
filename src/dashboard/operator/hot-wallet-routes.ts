// Our wallets on chains: what waits in each, why one is stopped and how it can go on, what refills it, and how long its coins last.
import { Type as T } from 'typebox'
import { AppError } from '#/kernel/error.ts'
import { withoutNulls } from '#/kernel/given.ts'
import { count, instant, uuid } from '#/kernel/schema.ts'
import { minuteMs } from '#/kernel/time.ts'
import { haltOf } from '#/operator/halts.ts'
import { gasForecasts, hangingOf, liftWallet, readAddress, refillsOf, walletsOf } from '#/operator/wallets.ts'
import { bodyOf } from '../place.ts'
import { operatorRoute, type DashboardRoute } from '../route.ts'
import { haltReason, operatorOf, reason } from './words.ts'

const walletShape = T.Object({
  chain: T.String(),
  address: T.String(),
  purpose: T.String(),
  nextNonce: T.String(),
  queued: count('Transactions that wait for a nonce.'),
  open: count('Transactions with a nonce and without an end.'),
  waiting: T.Optional(T.String({ description: 'What it is short of: TOKENS, GAS, or the signer’s answer.' })),
  stopped: T.Optional(T.String({ description: 'Why nothing is sent until an operator lifts it.' })),
  stop: T.Optional(haltReason),
})

const wallets = operatorRoute({
  route: 'GET /operator/hot-wallets',
  operationId: 'listHotWallets',
  summary: 'The wallets that send, what waits in each, and why one waits or is stopped',
  answer: T.Object({ data: T.Array(walletShape) }),
  async handle({ http: { sql } }) {
    const rows = await walletsOf(sql)
    return {
      data: rows.map((row) => ({
        ...withoutNulls(row),
        nextNonce: row.nextNonce.toString(),
        ...(row.stopped !== null && haltOf('stop', row.stopped)),
      })),
    }
  },
})

const liftOne = operatorRoute({
  route: 'POST /operator/hot-wallets/lift',
  permission: 'operator:approve',
  concern: 'money',
  operationId: 'liftHotWallet',
  summary:
    'Lets a stopped wallet send again, from the next nonce on the chain; find out first what stopped it',
  answer: T.Object({ nextNonce: T.String() }),
  body: bodyOf({
    chain: T.String({ maxLength: 32 }),
    address: T.String({ maxLength: 42 }),
    stopped: T.String({
      maxLength: 1_000,
      description: 'Why it is stopped, word for word: proof that it was read.',
    }),
    reason,
  }),
  async handle({ http: { sql }, operator }, call) {
    const { chain, stopped, reason: why } = call.body
    const node = operator.nodes().find((each) => each.chain.key === chain)
    if (node === undefined)
      throw new AppError(
        'invalid_state',
        `This process asks no node of ${chain}: use ./vintem coins lift with --rpc.`,
      )
    const address = readAddress(call.body.address)
    const lifted = await liftWallet(
      sql,
      operatorOf(call),
      { chain, rpc: node.rpc },
      { address, stopped, reason: why.trim() },
    )
    return { nextNonce: lifted.nextNonce.toString() }
  },
})

const gas = operatorRoute({
  route: 'GET /operator/gas',
  operationId: 'forecastGas',
  summary: 'For how many transactions the native coin of each wallet lasts, at present fees',
  answer: T.Object({
    data: T.Array(
      T.Object({
        chain: T.String(),
        error: T.Optional(T.String({ description: 'Why its node does not say.' })),
        wallets: T.Array(
          T.Object({
            address: T.String(),
            purpose: T.String(),
            wei: T.String(),
            transactions: T.String(),
            isLow: T.Boolean({ description: 'Send native coin to it.' }),
          }),
        ),
      }),
    ),
  }),
  async handle({ http: { sql }, operator }) {
    const found = await gasForecasts(sql, operator.nodes())
    return {
      data: found.map((each) =>
        'error' in each
          ? { ...each, wallets: [] }
          : {
              chain: each.chain,
              wallets: each.wallets.map(({ wei, transactions, ...wallet }) => ({
                ...wallet,
                wei: wei.toString(),
                transactions: transactions.toString(),
              })),
            },
      ),
    }
  },
})

const refillsShown = 20

const refills = operatorRoute({
  route: 'GET /operator/refills',
  operationId: 'listRefills',
  summary: 'The last refills of the wallets that pay out, newest first',
  answer: T.Object({
    data: T.Array(
      T.Object({
        id: uuid(),
        chain: T.String(),
        units: T.String({ description: 'Base units.' }),
        isByHand: T.Boolean({ description: 'The operator signs its transaction; else the signer does.' }),
        createdAt: instant(),
        endedAt: T.Optional(instant('Absent: it is under way.')),
      }),
    ),
  }),
  async handle({ http: { sql } }) {
    const rows = await refillsOf(sql, refillsShown)
    return {
      data: rows.map(({ units, tx, ...row }) => ({
        ...withoutNulls(row),
        units: units.toString(),
        isByHand: tx === null,
      })),
    }
  },
})

const hanging = operatorRoute({
  route: 'GET /operator/hanging-transactions',
  operationId: 'listHangingTransactions',
  summary: 'Transactions that have had a nonce for ten minutes and no end, at most 100 of each wallet',
  answer: T.Object({
    data: T.Array(
      T.Object({
        id: uuid(),
        chain: T.String(),
        wallet: T.String(),
        nonce: T.String(),
        purpose: T.String(),
        subject: T.String({ description: 'The withdrawal, refund, sweep or refill.' }),
        state: T.String(),
        cancel: T.Optional(T.String({ description: 'Why an empty transaction is to take its nonce.' })),
        isTaken: T.Boolean({ description: 'A foreign transaction has its nonce: a person decides.' }),
        createdAt: instant(),
      }),
    ),
  }),
  async handle({ http: { sql } }) {
    const rows = await hangingOf(sql, { olderMs: 10 * minuteMs, limit: 100 })
    return { data: rows.map((row) => ({ ...withoutNulls(row), nonce: row.nonce.toString() })) }
  },
})

export const hotWalletRoutes: readonly DashboardRoute[] = [wallets, liftOne, gas, refills, hanging]
