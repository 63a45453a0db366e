// Faults where money and reports come in and go out: keys, webhooks, the watcher of the chain, our own wallets.
import type { Fault } from './fault.ts'
import { planted } from './planted.ts'

const keys: readonly Fault[] = [
  ...planted('keys', 'src/merchants/api-key.ts', 'src/merchants/api-key.test.ts', [
    {
      what: 'a key with a typing error counts as one of ours',
      find: 'if (text.slice(-checksumDigits) !== checksumOf(text.slice(0, -checksumDigits))) return undefined',
      put: '',
    },
    {
      what: 'a live key calls itself a sandbox key',
      find: "prefix === prefixes.LIVE ? 'LIVE' : 'SANDBOX'",
      put: "prefix === prefixes.LIVE ? 'SANDBOX' : 'LIVE'",
    },
  ]),
  ...planted('keys', 'src/merchants/key-queries.ts', 'src/sandbox/sandboxes.test.ts', [
    {
      what: 'a key of an archived sandbox works if it was issued at the same moment',
      find: 'and sandbox.archived_at is not null)',
      put: 'and false)',
    },
  ]),
  ...planted('keys', 'src/merchants/connections.ts', 'src/merchants/connections.test.ts', [
    {
      what: 'the business of an archived sandbox goes over an account that others share',
      find: 'if (all.some((each) => each.merchantId === merchantId && each.archivedAt !== null)) return []',
      put: '',
    },
  ]),
  ...planted('keys', 'src/merchants/authenticator.ts', 'src/merchants/authenticator.test.ts', [
    {
      what: 'a key is accepted whatever its mode is',
      find: ' && row.mode === key.mode) {',
      put: ') {',
    },
    {
      what: 'a key works after its expiry',
      find: 'return entry !== undefined && elapsedMs() < (entry.endsAtMs ?? Infinity) ? entry.identity : undefined',
      put: 'return entry?.identity',
    },
    {
      what: 'memory is believed for an hour, so a revoked key goes on',
      find: 'const freshMs = 900',
      put: 'const freshMs = 3_600_000',
    },
  ]),
  ...planted('keys', 'src/merchants/managed-keys.ts', 'test/laws/keys.test.ts', [
    {
      what: 'a key gets the secret of a key of another person',
      find: 'if (calling.member === null && !isSameHolder(calling, old))',
      put: 'if (calling.member === null && !isSameHolder(calling, calling))',
    },
    {
      what: 'a change gives a key scopes that it lacks',
      find: '    requireNarrower(old, scopes)\n',
      put: '',
    },
    {
      what: 'the old key of a roll lives as long as the overlap, though its own end is earlier',
      find: 'old.expiresAt !== null && old.expiresAt < overlapEnd ? old.expiresAt : overlapEnd',
      put: 'overlapEnd',
    },
  ]),
  ...planted('keys', 'src/merchants/managed-keys.ts', 'test/contract/managed-keys.test.ts', [
    {
      what: 'a key without the scope any more goes on making keys',
      find: "if (!calling.scopes.includes('keys:write')) {",
      put: "if (calling.scopes.includes('sandbox')) {",
    },
  ]),
  ...planted('keys', 'src/merchants/key-rights.ts', 'test/laws/keys.test.ts', [
    {
      what: 'a key grants scopes that it lacks',
      find: '    ...scopeFaults(calling.scopes, requested.scopes),\n',
      put: '',
    },
    {
      what: 'a key grants more time than it has',
      find: '    ...expiryFaults(calling.expiresAt, requested.expiresAt),\n',
      put: '',
    },
    {
      what: 'a key grants networks that it lacks',
      find: '    ...cidrFaults(calling.allowedCidrs, requested.allowedCidrs),\n',
      put: '',
    },
  ]),
  ...planted('keys', 'src/merchants/lineage.ts', 'test/contract/four-eyes.test.ts', [
    {
      what: 'a person approves with a second key what the first one requested',
      find: 'return personFrom({ lineage, name: person, ...given({ user }) })',
      put: 'void person\n  return personFrom({ lineage, ...given({ user }) })',
    },
    {
      what: 'keys that came of one key count as two persons',
      find: 'return personFrom({ lineage, name: person, ...given({ user }) })',
      put: 'void lineage\n  return personFrom({ name: person, ...given({ user }) })',
    },
  ]),
  ...planted('keys', 'src/withdrawals/decide.ts', 'test/contract/four-eyes.test.ts', [
    {
      what: 'who changed the amounts of a schedule approves them',
      find: '...((scheduleId === undefined ? undefined : changers.get(scheduleId)) ?? [])',
      put: '',
    },
  ]),
  ...planted('keys', 'src/http/auth.ts', 'test/contract/rolled-keys.test.ts', [
    {
      what: 'a key works from everywhere',
      find: '      if (identity.isAllowedFrom?.(ip) === false) throw strangers.refusal(identity, ip)\n',
      put: '',
    },
  ]),
]

const webhooks: readonly Fault[] = [
  ...planted('webhooks', 'src/webhooks/sign.ts', 'src/webhooks/sign.test.ts', [
    { what: 'the id is not signed', find: '`${id}.${timestamp}.`', put: '`${timestamp}.`' },
    { what: 'the time is in milliseconds', find: 'getTime() / 1_000)', put: 'getTime())' },
    {
      what: 'after a rotation only one secret signs',
      find: 'const signatures = message.secrets.map(',
      put: 'const signatures = message.secrets.slice(0, 1).map(',
    },
  ]),
  ...planted('webhooks', 'src/webhooks/guard.ts', 'src/webhooks/guard.test.ts', [
    { what: 'the address of cloud metadata is called', find: "  '169.254.0.0/16',\n", put: '' },
    {
      what: 'addresses of IPv6 that are not public are called',
      find: "  if (family === 'ipv6' && !publicV6.check(address, 'ipv6')) return false\n",
      put: '',
    },
    {
      what: 'an address from a name server is called unchecked',
      find: 'found.filter((address) => isAddressAllowed(address, policy))',
      put: 'found',
    },
  ]),
]

const watcher: readonly Fault[] = [
  ...planted('watcher', 'src/evm/block-proof.ts', 'src/evm/block-proof.test.ts', [
    {
      what: 'a header is believed that its hash does not cover',
      find: "  if (headerHash(block) !== block.hash) return fault(block, 'its header has another hash')\n",
      put: '',
    },
    {
      what: 'receipts are believed that the block does not have',
      find: "  if (receiptsRoot(receipts) !== block.receiptsRoot) return fault(block, 'its receipts have another root')\n",
      put: '',
    },
  ]),
  ...planted('watcher', 'src/rails/crypto/scan.ts', 'src/rails/crypto/scan.test.ts', [
    {
      what: 'any token at our address is money',
      find: 'tokens.find(({ address }) => address === transfer.token)',
      put: 'tokens[0]',
    },
    {
      what: 'a transfer of nothing counts',
      find: 'transfer.value.raw === 0n || transfer.from === transfer.to',
      put: 'transfer.from === transfer.to',
    },
  ]),
  ...planted('watcher', 'src/rails/crypto/watch.ts', 'src/rails/crypto/watch.test.ts', [
    {
      what: 'money is final one block too early',
      find: 'head.number - BigInt(deps.chain.confirmationsMin) + 1n',
      put: 'head.number - BigInt(deps.chain.confirmationsMin) + 2n',
    },
    {
      what: 'the node alone decides what is final',
      find: '[finalized.number, deepEnough, cursor.tip.number, reach]',
      put: '[finalized.number, cursor.tip.number, reach]',
    },
    {
      what: 'final history may change',
      find: '  if (theirs?.hash === final.hash) return\n',
      put: '  if (theirs?.number === final.number) return\n',
    },
  ]),
]

const treasury: readonly Fault[] = [
  ...planted('treasury', 'src/treasury/hot-wallet-queue.ts', 'src/treasury/hot-wallet-queue.test.ts', [
    { what: 'coins are promised twice in one pass', find: '  room.units -= tx.units\n', put: '' },
    {
      what: 'what is under way is not counted',
      find: '    units -= tx.units\n    wei -= tx.value + tx.gas *',
      put: '    wei -= tx.value + tx.gas *',
    },
    {
      what: 'the caps of the signer are not checked',
      find: 'const unitsMax = minOf(minOf(room.units, limits.units), each)',
      put: 'const unitsMax = room.units',
    },
    {
      what: 'one that does not fit ends the pass',
      find: 'if (taken.length < places && take(room, tx, feePerGas)) taken.push(tx.id)',
      put: '{ if (taken.length === places || !take(room, tx, feePerGas)) break; taken.push(tx.id) }',
    },
  ]),
  ...planted('treasury', 'src/treasury/outgoing-queries.ts', 'src/treasury/hot-wallet.test.ts', [
    {
      what: 'gas below a gwei is lost with each transaction',
      find: '    return sum / weiPerGwei - before\n',
      put: '    return gasWei / weiPerGwei\n',
    },
  ]),
  ...planted('treasury', 'src/treasury/hot-wallet-follow.ts', 'src/treasury/hot-wallet.test.ts', [
    {
      what: 'a payout is done before its block is final',
      find: '    if (tx.nonce < view.finalNonce) {\n',
      put: '    if (tx.nonce < view.headNonce) {\n',
    },
  ]),
  ...planted('treasury', 'src/treasury/payout.ts', 'src/treasury/hot-wallet.test.ts', [
    {
      what: 'a payout goes to an address where payments arrive',
      find: '      if (await queries.isOwnDeposit(sql, chain.key, recipient)) return ownDeposit\n',
      put: '',
    },
  ]),
  ...planted('treasury', 'src/treasury/refill.ts', 'src/treasury/refill.test.ts', [
    {
      what: 'a refill is due at the low mark',
      find: 'if (units - owed >= low)',
      put: 'if (units - owed > low)',
    },
    {
      what: 'parts of a cent are refilled',
      find: 'lacking - (lacking % baseUnitsPerCent)',
      put: 'lacking',
    },
  ]),
  ...planted('treasury', 'src/treasury/coin-movements.ts', 'test/laws/coins.test.ts', [
    {
      what: 'a sweep books the cents of its own units alone',
      find: 'return wholeCents(before + move.value) - wholeCents(before)',
      put: 'return wholeCents(move.value)',
    },
  ]),
  ...planted('treasury', 'src/treasury/fees.ts', 'src/treasury/fees.test.ts', [
    {
      what: 'a replacement pays more than the cap',
      find: '  if (raised.maxFeePerGas > cap) return undefined\n',
      put: '',
    },
    { what: 'a replacement pays no more than before', find: '(9n * fee + 7n) / 8n', put: 'fee' },
  ]),
]

const clock: readonly Fault[] = planted(
  'settlement',
  'src/sandbox/clock/dates-queries.ts',
  'test/contract/sandbox-clock.test.ts',
  [
    {
      what: 'the clock of a sandbox reaches a live merchant',
      find: "where id = ${merchantId} and mode = 'SANDBOX')",
      put: 'where id = ${merchantId})',
    },
    {
      what: 'the clock takes a claimed row from its worker, and it is sent twice',
      find: 'sql`(due.lease_until = due.due_at)`',
      put: 'sql`false`',
    },
  ],
)

const reports: readonly Fault[] = [
  ...planted('ledger', 'src/wallets/statement-queries.ts', 'src/wallets/statement-instants.test.ts', [
    {
      what: 'a report waits for the head, so a batch that has the turn may still enter it',
      find: 'select from turn for share',
      put: 'select from head for share',
    },
  ]),
  ...planted('ledger', 'src/ledger/queries.ts', 'src/wallets/statement-instants.test.ts', [
    {
      what: 'a batch does not take the turn, so it may enter a report that was made before',
      find: '    select from turn for update;\n',
      put: '',
    },
  ]),
]

const restored: readonly Fault[] = [
  ...planted('keys', 'src/restored/queries.ts', 'src/cli/restored-lists.test.ts', [
    {
      what: 'after a restore, nobody is asked about operators who had been removed',
      find: 'from app_user where is_operator and disabled_at is null',
      put: 'from app_user where is_operator and false',
    },
    {
      what: 'after a restore, a page of destinations leaves out those of the merchant of the page before',
      find: "where (merchant_id, type || ' ' || destination) > (${after?.merchantId ?? leastId}::uuid, ${after?.name ?? ''})",
      put: 'where merchant_id > ${after?.merchantId ?? leastId}::uuid',
    },
  ]),
  ...planted('ledger', 'src/ledger/fence.ts', 'src/cli/restored.test.ts', [
    {
      what: 'books that lost batches are used',
      find: '  if (batch < newest.batch)\n',
      put: '  if (batch < 0n)\n',
    },
    { what: 'an old primary is used', find: '  if (epoch < newest.epoch)\n', put: '  if (epoch < 0)\n' },
  ]),
  ...planted('ledger', 'src/ledger/post.ts', 'src/cli/restored.test.ts', [
    {
      what: 'the lane writes to books that lost batches',
      find: '  fence.pass(head)\n',
      put: '',
    },
  ]),
  ...planted('ledger', 'src/restored/review.ts', 'src/cli/restored.test.ts', [
    {
      what: 'money leaves before a restore was looked through',
      find: "  if (next !== 'open') throw",
      put: '  if (next === undefined) throw',
    },
  ]),
]

/** Keys, webhooks, watcher, treasury, the clock of a sandbox, reports of now, and the repair after a restore. */
export const edgeFaults: readonly Fault[] = [
  ...keys,
  ...webhooks,
  ...watcher,
  ...treasury,
  ...clock,
  ...reports,
  ...restored,
]
