// Chains and our wallets there: how far each is followed, what is halted or stopped and how it goes on, and what lasts how long.
import { Type as T } from 'typebox'
import { pageOf, pageSize, paging, queryOf, readCursor } from '#/http/query.ts'
import { AppError } from '#/kernel/error.ts'
import { isUuid } from '#/kernel/id.ts'
import { count, instant, oneOf, uuid } from '#/kernel/schema.ts'
import { minuteMs } from '#/kernel/time.ts'
import { selectWatchers, type WatcherState } from '#/operator/chain-queries.ts'
import { liftChain } from '#/operator/parked.ts'
import {
  foundCoins,
  gasForecasts,
  hangingOf,
  liftWallet,
  readAddress,
  sweepsWaiting,
  walletsOf,
} from '#/operator/wallets.ts'
import { lastRefills } from '#/treasury/refill.ts'
import { listed } from '../place.ts'
import { route, type DashboardRoute } from '../route.ts'
import { anyReason, because, operatorOf, reason } from './words.ts'

const blockNumber = T.String({ description: 'A block, in decimal digits.' })

const chainShape = T.Object(
  {
    key: T.String(),
    chainId: T.String(),
    mode: T.String(),
    head: T.Optional(blockNumber),
    final: T.Optional(blockNumber),
    halted: T.Optional(T.String({ description: 'Why nothing is credited on it.' })),
    isWatched: T.Boolean({ description: 'A watcher holds its lease.' }),
    nodeHead: T.Optional(T.String({ description: 'The newest block of the node that this process asks.' })),
    lag: T.Optional(T.String({ description: 'Blocks between the node’s head and ours.' })),
    nodeError: T.Optional(T.String()),
    whatToDo: T.Optional(
      oneOf(
        'ChainAdvice',
        ['compare_and_lift', 'start_watcher', 'check_node'],
        'A sentence of the console has this name.',
      ),
    ),
  },
  { title: 'WatchedChain' },
)

const list = route({
  method: 'GET',
  path: '/operator/chains',
  access: 'operator',
  permission: 'operator:read',
  operationId: 'listChains',
  summary: 'The chains: head, lag, whether one is halted and why, and what to do',
  status: 200,
  answer: T.Object({ data: T.Array(chainShape) }),
  async handle({ http: { sql }, operator }) {
    const states = await selectWatchers(sql)
    const nodes = new Map(operator.nodes().map(({ chain, rpc }) => [chain.key, rpc]))
    const data = await Promise.all(
      states.map(async (state) => {
        const rpc = nodes.get(state.key)
        const asked = rpc === undefined ? {} : await headOf(rpc)
        return chainRecord(state, asked)
      }),
    )
    return { data }
  },
})

type Asked = { readonly nodeHead?: bigint; readonly nodeError?: string }

async function headOf(rpc: { blockNumber(): Promise<bigint> }): Promise<Asked> {
  try {
    return { nodeHead: await rpc.blockNumber() }
  } catch (error) {
    return { nodeError: error instanceof Error ? error.message : String(error) }
  }
}

function chainRecord(
  { head, final, halted, chainId, ...state }: WatcherState,
  { nodeHead, nodeError }: Asked,
) {
  const advice =
    halted !== null
      ? 'compare_and_lift'
      : nodeError !== undefined
        ? 'check_node'
        : state.isWatched
          ? undefined
          : 'start_watcher'
  return {
    ...state,
    chainId: chainId.toString(),
    ...(head === null ? {} : { head: head.toString() }),
    ...(final === null ? {} : { final: final.toString() }),
    ...(halted === null ? {} : { halted }),
    ...(nodeHead === undefined ? {} : { nodeHead: nodeHead.toString() }),
    ...(nodeHead === undefined || head === null
      ? {}
      : { lag: (nodeHead > head ? nodeHead - head : 0n).toString() }),
    ...(nodeError === undefined ? {} : { nodeError }),
    ...(advice === undefined ? {} : { whatToDo: advice }),
  }
}

const lift = route({
  method: 'POST',
  path: '/operator/chains/{id}/lift',
  idForm: 'text',
  access: 'operator',
  permission: 'operator:approve',
  needsFactor: true,
  operationId: 'liftChain',
  summary:
    'Lets a halted chain be followed again: what was held back is credited. Compare with other nodes first',
  status: 204,
  body: T.Object(
    {
      halted: T.String({
        minLength: 1,
        maxLength: 1_000,
        description: 'Why it is halted, word for word: proof that it was read.',
      }),
      reason: anyReason,
    },
    { additionalProperties: false },
  ),
  handle: ({ http: { sql } }, call) =>
    liftChain(sql, operatorOf(call), {
      key: call.id,
      halted: call.body.halted,
      ...because(call.body.reason),
    }),
})

const walletShape = T.Object({
  chain: T.String(),
  address: T.String(),
  purpose: T.String(),
  nextNonce: T.String(),
  queued: count('Transactions that wait for a nonce.'),
  open: count('Transactions with a nonce and without an end.'),
  waiting: T.Optional(T.String({ description: 'What it is short of: TOKENS, GAS, or the signer’s answer.' })),
  stopped: T.Optional(T.String({ description: 'Why nothing is sent until an operator lifts it.' })),
})

const wallets = route({
  method: 'GET',
  path: '/operator/hot-wallets',
  access: 'operator',
  permission: 'operator:read',
  operationId: 'listHotWallets',
  summary: 'The wallets that send, what waits in each, and why one waits or is stopped',
  status: 200,
  answer: T.Object({ data: T.Array(walletShape) }),
  async handle({ http: { sql } }) {
    const rows = await walletsOf(sql)
    return {
      data: rows.map(({ nextNonce, waiting, stopped, ...row }) => ({
        ...row,
        nextNonce: nextNonce.toString(),
        ...(waiting === null ? {} : { waiting }),
        ...(stopped === null ? {} : { stopped }),
      })),
    }
  },
})

const liftOne = route({
  method: 'POST',
  path: '/operator/hot-wallets/lift',
  access: 'operator',
  permission: 'operator:approve',
  needsFactor: true,
  operationId: 'liftHotWallet',
  summary:
    'Lets a stopped wallet send again, from the next nonce on the chain; find out first what stopped it',
  status: 200,
  answer: T.Object({ nextNonce: T.String() }),
  body: T.Object(
    {
      chain: T.String({ maxLength: 32 }),
      address: T.String({ maxLength: 42 }),
      stopped: T.String({
        maxLength: 1_000,
        description: 'Why it is stopped, word for word: proof that it was read.',
      }),
      reason,
    },
    { additionalProperties: false },
  ),
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

const gas = route({
  method: 'GET',
  path: '/operator/gas',
  access: 'operator',
  permission: 'operator:read',
  operationId: 'forecastGas',
  summary: 'For how many transactions the native coin of each wallet lasts, at present fees',
  status: 200,
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

const refills = route({
  method: 'GET',
  path: '/operator/refills',
  access: 'operator',
  permission: 'operator:read',
  operationId: 'listRefills',
  summary: 'The last refills of the wallets that pay out, newest first',
  status: 200,
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
    const rows = await lastRefills(sql, refillsShown)
    return {
      data: rows.map(({ units, tx, endedAt, ...row }) => ({
        ...row,
        units: units.toString(),
        isByHand: tx === null,
        ...(endedAt === null ? {} : { endedAt }),
      })),
    }
  },
})

const hanging = route({
  method: 'GET',
  path: '/operator/hanging-transactions',
  access: 'operator',
  permission: 'operator:read',
  operationId: 'listHangingTransactions',
  summary: 'Transactions that have had a nonce for ten minutes and no end, at most 100 of each wallet',
  status: 200,
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
    return {
      data: rows.map(({ nonce, cancel, ...row }) => ({
        ...row,
        nonce: nonce.toString(),
        ...(cancel === null ? {} : { cancel }),
      })),
    }
  },
})

const chainOf = { chain: T.String({ maxLength: 32, description: 'The key of a chain.' }) }

const sweeps = route({
  method: 'GET',
  path: '/operator/sweeps',
  access: 'operator',
  permission: 'operator:read',
  operationId: 'listFailedSweeps',
  summary: 'Addresses of a chain whose last collection failed, and when each is tried again',
  status: 200,
  answer: listed(
    T.Object({
      address: T.String(),
      fails: count('How often in a row.'),
      reason: T.Optional(T.String()),
      dueAt: T.Optional(instant('Absent: it is under way again.')),
    }),
  ),
  query: queryOf({ ...paging, ...chainOf }),
  async handle({ http: { sql } }, { query }) {
    const { chain, cursor, limit = pageSize } = query
    const [after] = cursor === undefined ? [] : readCursor(cursor, (part) => /^0x[0-9a-f]{40}$/.test(part))
    const page = { chain, ...(after === undefined ? {} : { after: readAddress(after) }), limit: limit + 1 }
    const rows = (await sweepsWaiting(sql, page)).map((row) => ({ ...row, id: row.address }))
    return pageOf(rows, limit, ({ reason: why, dueAt, ...row }) => ({
      ...row,
      ...(why === null ? {} : { reason: why }),
      ...(dueAt === null ? {} : { dueAt }),
    }))
  },
})

const found = route({
  method: 'GET',
  path: '/operator/found-coins',
  access: 'operator',
  permission: 'operator:read',
  operationId: 'listFoundCoins',
  summary: 'Unexplained movements of our coins, oldest first: FOUND ones wait for an owner',
  status: 200,
  answer: listed(
    T.Object({
      id: uuid(),
      chain: T.String(),
      bookedAs: oneOf('StrangeMove', ['FOUND', 'LEFT'], 'Came, or left.'),
      txHash: T.String(),
      sender: T.String(),
      recipient: T.String(),
      units: T.String({ description: 'Base units.' }),
      at: instant(),
      proposal: T.Optional(
        T.Object({
          merchantId: uuid(),
          note: T.Optional(T.String()),
          proposedBy: T.String(),
          isOwn: T.Boolean(),
        }),
      ),
    }),
  ),
  query: queryOf({ ...paging, ...chainOf }),
  async handle({ http: { sql } }, { query, visitor }) {
    const { chain, cursor, limit = pageSize } = query
    const [after] = cursor === undefined ? [] : readCursor(cursor, isUuid)
    const page = { chain, ...(after === undefined ? {} : { after }), limit: limit + 1 }
    const rows = await foundCoins(sql, page, visitor.user.id)
    return pageOf(rows, limit, ({ units, ...row }) => ({ ...row, units: units.toString() }))
  },
})

export const chainRoutes: readonly DashboardRoute[] = [
  list,
  lift,
  wallets,
  liftOne,
  gas,
  refills,
  hanging,
  sweeps,
  found,
]
