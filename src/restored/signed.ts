// The journals of signers after a restore: what was signed for our wallets since the restored moment, what of it the books know,
// and what the chain made of it. A journal only names what left: what is recorded is what the chain showed.
import { selectDepartedPage } from '#/coins/departed-queries.ts'
import type { Sql } from '#/db/client.ts'
import type { NonceReader } from '#/evm/nonces.ts'
import { AppError, messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId, MerchantId } from '#/kernel/id.ts'
import type { JournalCopy, JournalLine } from '#/signer/journal-copy.ts'
import type { LostSignature } from '#/treasury/lost-signatures.ts'
import type { WalletKey } from '#/treasury/outgoing.ts'
import * as queries from './money-out-queries.ts'
import type { SigningWallet } from './money-out-queries.ts'

/** What one nonce of a wallet was signed for, and what the restored books and the chain have of it. */
export type SignedTx = Pick<JournalLine, 'key' | 'nonce' | 'reference' | 'pays' | 'at'> & {
  readonly chain: string
  /** `EARLIER`: the books have it, and it has not ended there. */
  readonly books: 'KNOWN' | 'EARLIER' | 'UNKNOWN'
  /** Whose payout it is, as far as the books say. */
  readonly merchantId?: MerchantId
  /** The books give its nonce to another transaction, of this reference. */
  readonly nonceOf?: string
  /** A cancellation of it was signed too: the chain takes one of the two. */
  readonly isCanceled: boolean
  /**
   * `USED`: the chain has used its nonce, in a block that the watcher has read. `UNREAD`: in a later block. `OPEN`: it has not;
   * the transaction may still be mined.
   */
  readonly nonceIs: 'USED' | 'UNREAD' | 'OPEN'
  /** The movement of coins that the chain shows for it and the books do not explain: `0x…:3`. */
  readonly move?: string
}

/** What the journals say about one chain. */
export type SignedOfChain = {
  readonly txs: readonly SignedTx[]
  /** By the id of the movement of coins. */
  readonly byMove: ReadonlyMap<string, SignedTx>
  /** Why the chain is not compared to its end. */
  readonly why: readonly string[]
  /** What was signed for transactions that the books have in an earlier state. */
  readonly lost: readonly LostSignature[]
  /** Where each wallet continues whose nonces the journals have without a gap. */
  readonly next: readonly { readonly wallet: WalletKey; readonly nonce: bigint }[]
}

export type JournalDeps = {
  readonly journals: readonly JournalCopy[]
  /** Reads from a node of this chain. */
  readonly nodeOf: (chain: string) => NonceReader
}

/**
 * Compares the journals with the books, for each connection of a chain. A chain whose node fails has only the reason. Throws
 * AppError `invalid_request` for a journal that signed, since `from`, for a chain or a wallet that is not ours.
 * `lastAt`: the restored moment.
 */
export async function compareJournals(
  sql: Sql,
  { journals, nodeOf }: JournalDeps,
  { from, lastAt }: { readonly from: Date; readonly lastAt: Date },
): Promise<ReadonlyMap<ConnectionId, SignedOfChain>> {
  const wallets = await queries.selectSigningWallets(sql, lastAt)
  for (const journal of journals) requireOurs(journal, wallets, from)
  const lines = journals.flatMap((journal) => journal.lines)
  const result = new Map<ConnectionId, SignedOfChain>()
  for (const [connection, ofConnection] of Map.groupBy(wallets, (wallet) => wallet.connection)) {
    const [wallet] = ofConnection
    const ofChain = lines.filter(({ chainId }) => chainId === wallet?.chainId)
    result.set(connection, await compareChain(sql, nodeOf, { wallets: ofConnection, lines: ofChain, from }))
  }
  return result
}

/** Keys that were rotated before are in a journal for ever. */
function requireOurs({ path, lines }: JournalCopy, wallets: readonly SigningWallet[], from: Date): void {
  const ours = new Set(wallets.map(({ chainId, address }) => `${chainId}/${address}`))
  const isOurs = ({ chainId, key }: JournalLine) => ours.has(`${chainId}/${key}`)
  const foreign = lines.find((line) => line.at >= from && !isOurs(line)) ?? lines.at(-1)
  if (foreign === undefined || isOurs(foreign) || (foreign.at < from && lines.some(isOurs))) return
  throw new AppError(
    'invalid_request',
    `${path} signed for ${foreign.key} on chain ${foreign.chainId}, which is no wallet of these books: nothing was compared.`,
  )
}

type ChainScope = {
  readonly wallets: readonly SigningWallet[]
  readonly lines: readonly JournalLine[]
  readonly from: Date
}

async function compareChain(
  sql: Sql,
  nodeOf: JournalDeps['nodeOf'],
  { wallets, lines, from }: ChainScope,
): Promise<SignedOfChain> {
  const txs: SignedTx[] = []
  const why: string[] = []
  const byMove = new Map<string, SignedTx>()
  const next: SignedOfChain['next'][number][] = []
  try {
    for (const wallet of wallets) {
      const node = nodeOf(wallet.chain)
      const used = await usedOf(node, wallet)
      const bound = boundOf(lines.filter(({ key }) => key === wallet.address))
      const given = new Set(await queries.selectGivenNonces(sql, wallet))
      const has = (nonce: bigint) => bound.has(nonce) || given.has(nonce)
      const missing = firstMissing(has, wallet.firstLost, used.latest)
      if (missing !== undefined)
        why.push(`no journal has nonce ${missing} of ${wallet.address}, which the chain has used`)
      else if (bound.size > 0) next.push({ wallet, nonce: nextOf(bound) })
      const inSpan = [...bound.values()].filter(
        ({ last, nonce }) => last >= from || nonce >= wallet.firstLost,
      )
      for (let start = 0; start < inSpan.length; start += pageRows)
        txs.push(...(await namePage(sql, wallet, inSpan.slice(start, start + pageRows), used)))
    }
    const moved = new Map<SignedTx, SignedTx>()
    for (const { id, name, tx } of await movedBy(sql, nodeOf, txs, { wallets, from })) {
      moved.set(tx, { ...tx, move: name })
      byMove.set(id, tx)
    }
    const unbooked = await queries.countUnbooked(sql, wallets[0]?.chain ?? '')
    if (unbooked > 0) why.push(`${unbooked} movements of coins wait to be booked: compare again`)
    const named = txs.map((tx) => moved.get(tx) ?? tx)
    const lost = await lostOf(sql, lines, named)
    return { txs: named, byMove, why: [...why, ...undecided(txs)], lost, next }
  } catch (error) {
    const why = [`its journal was not compared: ${messageOf(error)}`]
    return { txs: [], byMove: new Map(), why, lost: [], next: [] }
  }
}

const pageRows = 1_000

type Used = { readonly read: bigint; readonly latest: bigint }

async function usedOf(node: NonceReader, { address, final }: SigningWallet): Promise<Used> {
  if (final === null) throw new Error('no watcher has followed the chain yet')
  const [read, latest] = await Promise.all([node.used(address, final), node.used(address, 'latest')])
  return { read, latest }
}

/** The nonce after the highest that was signed. */
function nextOf(bound: ReadonlyMap<bigint, Bound>): bigint {
  let next = 0n
  for (const nonce of bound.keys()) if (nonce >= next) next = nonce + 1n
  return next
}

/** Every signature of those that the books have in an earlier state, and whose nonce is free there. */
async function lostOf(
  sql: Sql,
  lines: readonly JournalLine[],
  txs: readonly SignedTx[],
): Promise<readonly LostSignature[]> {
  const earlier = txs.filter(({ books, nonceOf }) => books === 'EARLIER' && nonceOf === undefined)
  const moves = earlier.flatMap(({ move }) => move ?? [])
  const recorded = new Set(moves.length === 0 ? [] : await queries.selectRecordedMoves(sql, moves))
  const byNonce = Map.groupBy(lines, ({ key, nonce }) => `${key}/${nonce}`)
  return earlier.flatMap(({ chain, key, nonce, reference, move }) => {
    const isRecorded = move !== undefined && recorded.has(move)
    const name = { chain, address: key, nonce, reference, isRecorded }
    return (byNonce.get(`${key}/${nonce}`) ?? []).flatMap(({ fees, gas, isCancel: cancels }) =>
      // We sign with EIP-1559 fees alone.
      'gasPrice' in fees ? [] : [{ ...name, fees, gas, cancels }],
    )
  })
}

type Bound = JournalLine & { readonly last: Date; readonly isCanceled: boolean }

/** What each nonce was signed for first; later lines of it are other fees, or a cancellation. */
function boundOf(lines: readonly JournalLine[]): ReadonlyMap<bigint, Bound> {
  const bound = new Map<bigint, Bound>()
  for (const line of lines) {
    const first = bound.get(line.nonce)
    const isCanceled = first !== undefined && (first.isCanceled || (line.isCancel && !first.isCancel))
    bound.set(line.nonce, { ...(first ?? line), last: line.at, isCanceled })
  }
  return bound
}

/** The first nonce since the restored moment that the chain has used, and that neither the books nor a journal have. */
function firstMissing(has: (nonce: bigint) => boolean, first: bigint, latest: bigint): bigint | undefined {
  let nonce = first
  while (has(nonce)) nonce += 1n
  return nonce < latest ? nonce : undefined
}

async function namePage(
  sql: Sql,
  { chain, connection }: SigningWallet,
  page: readonly Bound[],
  used: Used,
): Promise<readonly SignedTx[]> {
  const references = page.flatMap(({ reference }) => payoutOf(reference) ?? [])
  const [queued, paidOut] = await Promise.all([
    queries.selectQueuedTx(sql, chain, page),
    queries.selectPaidOut(sql, connection, references),
  ])
  const byReference = new Map(queued.map((each) => [each.reference, each]))
  const byNonce = new Map(queued.map((each) => [`${each.key}/${each.nonce}`, each]))
  const payouts = new Map(paidOut.map((each) => [each.reference, each]))
  return page.map(({ key, nonce, reference, pays, at, isCanceled }): SignedTx => {
    const tx = byReference.get(reference)
    const payout = payouts.get(payoutOf(reference) ?? '')
    const merchantId = payout?.merchantId ?? tx?.merchantId ?? undefined
    const other = byNonce.get(`${key}/${nonce}`)
    return {
      chain,
      key,
      nonce,
      reference,
      pays,
      at,
      isCanceled,
      books: standingOf(tx, payout),
      nonceIs: nonce < used.read ? 'USED' : nonce < used.latest ? 'UNREAD' : 'OPEN',
      ...given({ merchantId }),
      ...(other === undefined || other.reference === reference ? {} : { nonceOf: other.reference }),
    }
  })
}

/** The reference of a withdrawal or refund in that of its transaction (treasury/payout.ts). */
export function payoutOf(reference: string): string | undefined {
  return reference.startsWith('payout/') ? reference.slice('payout/'.length) : undefined
}

function standingOf(
  tx: queries.QueuedTx | undefined,
  payout: queries.PaidOut | undefined,
): SignedTx['books'] {
  if (tx !== undefined) return tx.state === 'FINAL' || tx.state === 'FAILED' ? 'KNOWN' : 'EARLIER'
  if (payout === undefined) return 'UNKNOWN'
  return payout.status === 'PENDING' || payout.status === 'PROCESSING' ? 'EARLIER' : 'UNKNOWN'
}

/** A movement of coins, and the transaction that made it. */
type Moved = { readonly id: string; readonly name: string; readonly tx: SignedTx }

/** Which unexplained movements these transactions made. */
async function movedBy(
  sql: Sql,
  nodeOf: JournalDeps['nodeOf'],
  txs: readonly SignedTx[],
  { wallets, from }: Pick<ChainScope, 'wallets' | 'from'>,
): Promise<readonly Moved[]> {
  const [first] = wallets
  if (first === undefined) return []
  const node = nodeOf(first.chain)
  const byNonce = new Map(txs.map((tx) => [`${tx.key}/${tx.nonce}`, tx]))
  const found: Moved[] = []
  let after: string | undefined
  for (;;) {
    const page = { since: from, limit: leftMax, ...given({ after }) }
    const moves = await selectDepartedPage(sql, first.chain, page)
    for (const { id, name, txHash } of moves) {
      const sent = await node.sentBy(txHash as `0x${string}`)
      const tx = sent && byNonce.get(`${sent.account}/${sent.nonce}`)
      if (tx !== undefined) found.push({ id, name, tx })
    }
    if (moves.length < leftMax) return found
    after = moves.at(-1)?.id
  }
}

const leftMax = 200
const namedMax = 5

/** What nobody may open before: what may still be mined, and what no watcher has read. */
function undecided(txs: readonly SignedTx[]): readonly string[] {
  const unknown = txs.filter(({ books }) => books === 'UNKNOWN')
  const names = (of: readonly SignedTx[]) => {
    const shown = of
      .slice(0, namedMax)
      .map(({ nonce, key, reference }) => `${nonce} of ${key} (${reference})`)
    return shown.join(', ') + (of.length > namedMax ? `, and ${of.length - namedMax} more` : '')
  }
  const open = unknown.filter(({ nonceIs }) => nonceIs === 'OPEN')
  const unread = unknown.filter(({ nonceIs }) => nonceIs === 'UNREAD')
  return [
    ...(open.length === 0 ? [] : [`signed and not mined, so these nonces may still be used: ${names(open)}`]),
    ...(unread.length === 0
      ? []
      : [`mined in blocks that the watcher has not read yet, compare again: ${names(unread)}`]),
  ]
}
