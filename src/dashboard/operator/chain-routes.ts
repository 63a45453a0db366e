// Chains: how far each is followed, what is halted and how it can go on, what could not be collected, and coins that nobody has explained.
import { Type as T } from 'typebox'
import { pageOf, pageSize, paging, queryOf, readCursor, pageAfter } from '#/http/query.ts'
import { parseAddress } from '#/kernel/evm-address.ts'
import { given, withoutNulls } from '#/kernel/given.ts'
import { count, instant, oneOf, uuid } from '#/kernel/schema.ts'
import { selectWatchers, type WatcherState } from '#/operator/chain-queries.ts'
import { haltOf } from '#/operator/halts.ts'
import { liftChain } from '#/operator/parked.ts'
import { foundCoins, readAddress, sweepsWaiting } from '#/operator/wallets.ts'
import { bodyOf, listed } from '../place.ts'
import { operatorRoute, type DashboardRoute } from '../route.ts'
import { anyReason, because, haltReason, operatorOf } from './words.ts'

const blockNumber = T.String({ description: 'A block, in decimal digits.' })

const chainAdvices = ['compare_and_lift', 'start_watcher', 'check_node'] as const

const chainShape = T.Object(
  {
    key: T.String(),
    chainId: T.String(),
    mode: T.String(),
    head: T.Optional(blockNumber),
    final: T.Optional(blockNumber),
    halted: T.Optional(T.String({ description: 'Why nothing is credited on it.' })),
    halt: T.Optional(haltReason),
    isWatched: T.Boolean({ description: 'A watcher holds its lease.' }),
    nodeHead: T.Optional(T.String({ description: 'The newest block of the node that this process asks.' })),
    lag: T.Optional(T.String({ description: 'Blocks between the node’s head and ours.' })),
    nodeError: T.Optional(T.String()),
    whatToDo: T.Optional(oneOf('ChainAdvice', chainAdvices, 'A sentence of the console has this name.')),
  },
  { title: 'WatchedChain' },
)

const list = operatorRoute({
  route: 'GET /operator/chains',
  operationId: 'listChains',
  summary: 'The chains: head, lag, whether one is halted and why, and what to do',
  answer: T.Object({ data: T.Array(chainShape) }),
  async handle({ http: { sql }, operator }) {
    const states = await selectWatchers(sql)
    const nodes = new Map(operator.nodes().map(({ chain, rpc }) => [chain.key, rpc]))
    const data = await Promise.all(
      states.map(async (state) => {
        const rpc = nodes.get(state.key)
        const nodeAnswer = rpc === undefined ? {} : await headOf(rpc)
        return chainRecord(state, nodeAnswer)
      }),
    )
    return { data }
  },
})

type NodeAnswer = { readonly nodeHead?: bigint; readonly nodeError?: string }

async function headOf(rpc: { blockNumber(): Promise<bigint> }): Promise<NodeAnswer> {
  try {
    return { nodeHead: await rpc.blockNumber() }
  } catch (error) {
    return { nodeError: error instanceof Error ? error.message : String(error) }
  }
}

function chainRecord(
  { head, final, halted, chainId, ...state }: WatcherState,
  { nodeHead, nodeError }: NodeAnswer,
) {
  const advice: (typeof chainAdvices)[number] | undefined =
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
    ...(halted === null ? {} : { halted, ...haltOf('halt', halted) }),
    ...given({
      head: head?.toString(),
      final: final?.toString(),
      nodeHead: nodeHead?.toString(),
      lag:
        nodeHead === undefined || head === null ? undefined : String(nodeHead > head ? nodeHead - head : 0n),
      nodeError,
      whatToDo: advice,
    }),
  }
}

const lift = operatorRoute({
  route: 'POST /operator/chains/{id}/lift',
  idForm: 'text',
  permission: 'operator:approve',
  concern: 'money',
  operationId: 'liftChain',
  summary:
    'Lets a halted chain be followed again: what was held back is credited. Compare with other nodes first',
  body: bodyOf({
    halted: T.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'Why it is halted, word for word: proof that it was read.',
    }),
    reason: anyReason,
  }),
  handle: ({ http: { sql } }, call) =>
    liftChain(sql, operatorOf(call), {
      key: call.id,
      halted: call.body.halted,
      ...because(call.body.reason),
    }),
})

const chainOf = { chain: T.String({ maxLength: 32, description: 'The key of a chain.' }) }

const sweeps = operatorRoute({
  route: 'GET /operator/sweeps',
  operationId: 'listFailedSweeps',
  summary: 'Addresses of a chain whose last collection failed, and when each is tried again',
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
    const [after] = cursor === undefined ? [] : readCursor(cursor, (part) => parseAddress(part) === part)
    const page = { chain, ...(after === undefined ? {} : { after: readAddress(after) }), limit: limit + 1 }
    const rows = (await sweepsWaiting(sql, page)).map((row) => ({ ...row, id: row.address }))
    return pageOf(rows, limit, (row) => {
      const { id: _ofThePage, ...address } = row
      return withoutNulls(address)
    })
  },
})

const found = operatorRoute({
  route: 'GET /operator/found-coins',
  operationId: 'listFoundCoins',
  summary: 'Unexplained movements of our coins, oldest first: FOUND ones wait for an owner',
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
    return pageAfter(
      query,
      (page) => foundCoins(sql, { chain: query.chain, ...page }, visitor.user.id),
      ({ units, ...row }) => ({ ...row, units: units.toString() }),
    )
  },
})

export const chainRoutes: readonly DashboardRoute[] = [list, lift, sweeps, found]
