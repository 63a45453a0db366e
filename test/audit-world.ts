// An installation for the test that runs all commands: a merchant with money, a chain without a node behind it, and makers of
// the records that commands change.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCore, type Core } from '#/app/core.ts'
import { readConfig, type Config } from '#/config.ts'
import { invariant, must } from '#/kernel/check.ts'
import { newId, type ConnectionId, type Id, type MerchantId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { deriveKey } from '#/kernel/secret.ts'
import { provider, suspense, walletAvailable } from '#/ledger/chart.ts'
import { issueApiKey } from '#/merchants/keys.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { makeSubAccount } from '#/merchants/sub-accounts.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { refundKind } from '#/refunds/request.ts'
import { createSandbox } from '#/sandbox/sandboxes.ts'
import { insertSignals, postponeSignal } from '#/settlement/inbox-queries.ts'
import { resolveKind } from '#/settlement/resolve.ts'
import { sentKind } from '#/settlement/unrecorded.ts'
import { insertQueued } from '#/treasury/payout-queries.ts'
import { createWalletKind, openStartingWallets } from '#/wallets/create.ts'
import { selectDefaultWallets } from '#/wallets/queries.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import { move, posting } from './books.ts'
import { testDatabase } from './postgres.ts'

export type AuditWorld = {
  /** The server, running beside the commands. */
  readonly core: Core
  readonly config: () => Config
  readonly merchantId: MerchantId
  /** A node that answers 1 to every call. */
  readonly rpc: string
  readonly folder: string
  close(): Promise<void>
}

const keys = {
  VINTEM_MASTER_KEY: 'ab'.repeat(32),
  VINTEM_WORKER_KEY: 'ef'.repeat(32),
  VINTEM_AUDIT_KEY: 'cd'.repeat(32),
}
const keyOf = (name: keyof typeof keys) => Buffer.from(keys[name], 'hex')
const sealKeyOfMerchants = deriveKey(keyOf('VINTEM_MASTER_KEY'), 'webhook secrets')
const address = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
const bytes = Buffer.from(address.slice(2), 'hex')
const treasury = Buffer.alloc(20, 3)
const cryptoConnection = 'a1-chain' as ConnectionId
export const pixConnection = 'a1-pix' as ConnectionId
const payouts = 'a1-payouts' as ConnectionId

export async function openAuditWorld(): Promise<AuditWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'vintem-audit-'))
  const database = await testDatabase()
  const env = {
    ...keys,
    DATABASE_URL: database.appUrl,
    VINTEM_DATA_DIR: folder,
    VINTEM_LOG_LEVEL: 'silent',
    VINTEM_BSC_HOT_WALLET: address,
  }
  const config = () => readConfig(env)
  const core = await openCore({
    config: config(),
    databaseUrl: database.appUrl,
    masterKey: keyOf('VINTEM_MASTER_KEY'),
    workerKey: keyOf('VINTEM_WORKER_KEY'),
    auditKey: keyOf('VINTEM_AUDIT_KEY'),
    log: silentLog,
  })
  await connect(core, pixConnection, 'PIX', {})
  await connect(core, payouts, 'PIX_PAYOUT', {})
  await connect(core, cryptoConnection, 'CRYPTO', { chain: 'bsc' })
  await core.connections.refresh()
  await core.sql`
    insert into chain (key, chain_id, factory, token, treasury, number, final_number, halted)
    values ('bsc', 1, ${bytes}, ${bytes}, ${treasury}, 20, 12, 'why')`
  await core.sql`
    insert into chain_token (chain, symbol, address, decimals) values ('bsc', 'USDT', ${Buffer.alloc(20, 7)}, 18)`
  const node = await startNode()
  return {
    core,
    config,
    folder,
    merchantId: await fundedMerchant(core),
    rpc: node.url,
    async close() {
      node.stop()
      await core.close()
      await database[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function connect({ sql }: Core, id: ConnectionId, method: string, settings: object): Promise<void> {
  await sql`
    insert into connection (id, mode, method, provider, settings, is_active, created_at, changed_at)
    values (${id}, 'SANDBOX', ${method}, 'test', ${JSON.stringify(settings)}::text::jsonb, true, now(), now())`
}

/** A merchant with money in its wallet, and with coins in suspense. */
async function fundedMerchant({ sql, clock, lane }: Core): Promise<MerchantId> {
  const deps = { sql, clock, sealKey: sealKeyOfMerchants, openWallets: openStartingWallets }
  const { id } = (await createMerchant(deps, { mode: 'SANDBOX', name: 'Ana' })).merchant
  const [wallet] = await selectDefaultWallets(sql, [{ merchantId: id, currency: 'BRL' }])
  const available = walletAvailable('SANDBOX', must(wallet, 'a wallet').id, 'BRL')
  const found = suspense('SANDBOX', cryptoConnection, 'USDT')
  const postings = [
    posting(provider('SANDBOX', 'a1-x', 'BRL'), available, 10_000n),
    posting(provider('SANDBOX', 'a1-x', 'USDT'), found, 10_000n),
  ]
  await lane.submit(move, { postings })
  return id
}

async function startNode(): Promise<{ readonly url: string; readonly stop: () => void }> {
  const node = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const call = JSON.parse(Buffer.concat(chunks).toString()) as { readonly id: number }
      const answer = JSON.stringify({ jsonrpc: '2.0', id: call.id, result: '0x1' })
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
    })
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const { port } = node.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      node.closeAllConnections()
      node.close()
    },
  }
}

export async function newKey(world: AuditWorld): Promise<string> {
  const { core, merchantId } = world
  const deps = { sql: core.sql, clock: core.clock, pepper: Buffer.alloc(32), cell: 'a1' }
  return (await issueApiKey(deps, { merchantId, name: 'x' })).id
}

export async function newSubAccount({ core: { sql, clock }, merchantId }: AuditWorld): Promise<string> {
  const deps = { sql, clock, sealKey: sealKeyOfMerchants, openWallets: openStartingWallets }
  const by = { actor: { kind: 'SYSTEM', id: 'test' } } as const
  return (await makeSubAccount(deps, { id: merchantId, mode: 'SANDBOX' }, { name: 'Bea' }, by)).account.id
}

export async function newSandbox({ core: { sql, clock } }: AuditWorld): Promise<string> {
  const keyDeps = { pepper: Buffer.alloc(32), cell: 'a1', sealKey: sealKeyOfMerchants, madeBy: 'ana@machine' }
  const nothing = async () => {}
  const deps = { sql, clock, ...keyDeps, openWallets: openStartingWallets, note: nothing, connect: nothing }
  return (await createSandbox(deps, newId())).id
}

export async function newSignal(world: AuditWorld): Promise<string> {
  const { core } = world
  const body = Buffer.from('{}')
  await insertSignals(core.sql, [{ method: 'PIX', connection: pixConnection, body }], core.clock.now())
  const [row] = await core.sql<{ id: bigint }[]>`select max(id) as id from inbox`
  const id = must(row, 'a signal').id
  const claim = { id: String(id), connection: pixConnection, number: 0 }
  await postponeSignal(core.sql, { id, claim }, { tries: 5, waitMs: 0, parked: true, error: 'x' })
  return String(id)
}

/** A Pix that fits no attempt. */
export async function newStray(world: AuditWorld): Promise<string> {
  const { core } = world
  const providerRef = `E${newId()}`
  const receipt: Receipt = {
    method: 'PIX',
    connection: pixConnection,
    providerRef,
    outcome: 'paid',
    occurrence: 1,
    amount: { minor: 100n, currency: 'BRL' },
    happenedAt: core.clock.now(),
    evidence: Buffer.from(providerRef),
  }
  await core.lane.submit(core.settleKind, { receipts: [receipt] })
  const [row] = await core.sql<{ id: string }[]>`select id from unmatched where provider_ref = ${providerRef}`
  return must(row, 'it fits nothing').id
}

/** A sub-account that an earlier release closed, and that has money. */
export async function newKept(world: AuditWorld): Promise<string> {
  const { core } = world
  const id = (await newSubAccount(world)) as MerchantId
  const stray = (await newStray(world)) as Id<'unmatched'>
  const { kind } = await core.lane.submit(resolveKind(core.rails), { id: stray, merchantId: id })
  if (kind !== 'resolved') throw new Error(kind)
  await core.sql`update sub_account set state = 'CLOSED' where merchant_id = ${id}`
  return id
}

/** Money that left, and that the books do not have. */
export async function newUnrecorded({ core }: AuditWorld): Promise<string> {
  const verdict = await core.lane.submit(sentKind, {
    kind: 'WITHDRAWAL',
    connection: pixConnection,
    account: pixConnection,
    reference: newId(),
    amount: { minor: 100n, currency: 'BRL' },
    evidence: Buffer.from('sent'),
  })
  assert.equal(verdict.kind, 'recorded')
  return verdict.unrecorded.id
}

export async function newWithdrawal(world: AuditWorld): Promise<string> {
  const { core, merchantId } = world
  const id = newId<'withdrawal'>()
  const request = {
    type: 'PIX',
    amount: 100,
    currency: 'BRL',
    pixKey: 'a@b.co',
    pixKeyType: 'EMAIL',
  } as const
  const destination = { text: 'a@b.co', fields: { pixKey: 'a@b.co' } }
  const routing = { ok: true, connection: payouts, currency: 'BRL', destination } as const
  const item = {
    merchantId,
    mode: 'SANDBOX',
    requestedBy: newId<'api-key'>(),
  } as const
  await core.lane.submit(withdrawalKind(), { ...item, id, request, routing })
  await core.lane.submit(core.decisionKind, { id, event: 'sending' })
  return id
}

export async function newPayout(world: AuditWorld): Promise<string> {
  const { core } = world
  const subject = newId()
  const queued = {
    id: newId<'chain-tx'>(),
    chain: 'bsc',
    purpose: 'PAYOUT' as const,
    subject,
    reference: `payout/${subject}`,
  }
  const movement = { recipient: address, units: 1n } as const
  await insertQueued(
    core.sql,
    { ...queued, to: address, value: 0n, data: '0x', gas: 1n, movement },
    core.clock.now(),
  )
  return subject
}

export async function newMove(world: AuditWorld): Promise<string> {
  const { core } = world
  const id = newId()
  const hash = Buffer.from(id.replaceAll('-', '').repeat(2), 'hex')
  await core.sql`
    insert into coin_move (id, chain, block_hash, log_index, block_number, block_at, tx_hash, sender, recipient, value, state,
                           log, booked_as, minor, booked_at)
    values (${id}, 'bsc', ${hash}, 0, 1, now(), ${hash}, ${bytes}, ${treasury}, 1, 'FINAL', '\\x00', 'FOUND', 1, now())`
  return id
}

/** A payment by PIX that was paid, and a refund of it that was not sent. */
export async function newRefund(world: AuditWorld): Promise<string> {
  const { core, merchantId } = world
  const [paymentId, attemptId] = [newId<'payment'>(), newId<'attempt'>()]
  await core.sql`
    insert into payment (merchant_id, id, idempotency_key, fingerprint, request, status, amount_minor, currency, methods,
                         method, created_at)
    values (${merchantId}, ${paymentId}, ${paymentId}, '\\x00', '{}', 'WAITING_PAYMENT', 100, 'BRL', '{PIX}', 'PIX', now())`
  await core.sql`
    insert into attempt (merchant_id, id, payment_id, method, connection, amount_minor, currency, created_at)
    values (${merchantId}, ${attemptId}, ${paymentId}, 'PIX', ${pixConnection}, 100, 'BRL', now())`
  const receipt: Receipt = {
    method: 'PIX',
    attempt: { merchantId, paymentId, id: attemptId },
    connection: pixConnection,
    providerRef: `E${paymentId}`,
    outcome: 'paid',
    occurrence: 1,
    amount: { minor: 100n, currency: 'BRL' },
    happenedAt: core.clock.now(),
    evidence: Buffer.from(paymentId),
  }
  await core.lane.submit(core.settleKind, { receipts: [receipt] })
  const id = newId<'refund'>()
  const item = { merchantId, mode: 'SANDBOX', paymentId, id, request: {} } as const
  const verdict = await core.lane.submit(refundKind(core.rails), item)
  invariant(verdict.kind === 'created', 'the refund is accepted')
  return id
}

export async function newWallet(world: AuditWorld): Promise<string> {
  const { core, merchantId } = world
  const id = newId<'wallet'>()
  const request = { currency: 'BRL' as const, label: 'another', walletType: 'SPENDABLE' as const }
  const item = { merchantId, mode: 'SANDBOX', id, request } as const
  await core.lane.submit(createWalletKind(), item)
  return id
}

export async function stoppedWallet(world: AuditWorld): Promise<string> {
  const { core } = world
  await core.sql`
    insert into hot_wallet (chain, address, purpose, next_nonce, stopped, created_at)
    values ('bsc', ${bytes}, 'gas', 1, 'why', now())
        on conflict (chain, address) do update set stopped = 'why'`
  return address
}

export async function newDeposit(world: AuditWorld): Promise<string> {
  const { core, merchantId } = world
  const deposit = Buffer.from(newId().replaceAll('-', '').padEnd(40, '0'), 'hex')
  await core.sql`
    insert into deposit_address (chain, address, merchant_id, payment_id, attempt_id, asked, created_at)
    values ('bsc', ${deposit}, ${merchantId}, ${newId()}, ${newId()}, 1, now())`
  return `0x${deposit.toString('hex')}`
}
