// Sub-accounts of the merchant of a world, and what they and the platform have.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { newId, type ApiKeyId, type ConnectionId, type MerchantId, type WalletId } from '#/kernel/id.ts'
import { systemClock } from '#/kernel/time.ts'
import { issueApiKey } from '#/merchants/keys.ts'
import { changeSubAccount, makeSubAccount } from '#/merchants/sub-accounts.ts'
import { insertDestination } from '#/money-out/queries.ts'
import type { Payment } from '#/payments/payment.ts'
import { selectSplits } from '#/payments/split-queries.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { giveGrantKind, type GiveGrantVerdict } from '#/wallets/give-grant.ts'
import { selectDefaultWallets } from '#/wallets/queries.ts'
import { ownTransferKind, type OwnTransferVerdict } from '#/wallets/transfer.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import type { Line } from './line.ts'

export const by = { actor: { kind: 'SYSTEM', id: 'test' } } as const

/** A new sub-account of the merchant. */
export async function newSubAccount(
  { sql, merchant }: Pick<Line, 'sql' | 'merchant'>,
  name = 'Bea',
): Promise<MerchantId> {
  const deps = { sql, clock: systemClock, sealKey: randomBytes(32), openWallets: openStartingWallets }
  return (await makeSubAccount(deps, merchant, { name }, by)).account.id
}

/** A key of the merchant's own, which no parent made. */
export async function newOwnKey({ sql }: Line, merchantId: MerchantId): Promise<ApiKeyId> {
  const keyDeps = { sql, clock: systemClock, pepper: randomBytes(32), cell: 'a1' }
  return (await issueApiKey(keyDeps, { merchantId, name: 'own', scopes: ['withdrawals:write'] })).id
}

/** The sub-account lets its parent take up to so much in BRL. */
export async function giveGrant(
  { lane, merchant }: Line,
  { id: merchantId, keyId }: { readonly id: MerchantId; readonly keyId: ApiKeyId },
  maxAmount: number,
): Promise<GiveGrantVerdict> {
  const request = { currency: 'BRL', maxAmount } as const
  const item = { merchantId, mode: merchant.mode, id: newId<'transfer-grant'>(), keyId, request }
  return lane.submit(giveGrantKind, item)
}

/** What the sub-account’s grant still lets its platform take. */
export async function grantedTo({ sql }: Line, id: MerchantId): Promise<bigint> {
  const [row] = await sql<{ left: bigint }[]>`
    select coalesce(max(max_minor - taken_minor), 0)::bigint as left
      from transfer_grant where merchant_id = ${id} and revoked_at is null and taken_minor < max_minor`
  return row?.left ?? 0n
}

/** The platform gives to its sub-account, or takes from it; in BRL, between their default wallets unless one is named. */
export async function moveInFamily(
  line: Line,
  way: 'give' | 'take',
  subAccountId: MerchantId,
  amount: number,
  theirs?: WalletId,
): Promise<OwnTransferVerdict> {
  const { merchant, lane } = line
  const own = await walletOf(line, merchant.id)
  const request =
    way === 'give'
      ? {
          fromWalletId: own,
          toSubAccountId: subAccountId,
          ...given({ toWalletId: theirs }),
        }
      : {
          fromSubAccountId: subAccountId,
          ...given({ fromWalletId: theirs }),
          toWalletId: own,
        }
  const requestedBy = await newOwnKey(line, merchant.id)
  const item = { merchantId: merchant.id, mode: merchant.mode, id: newId<'own-transfer'>(), requestedBy }
  return lane.submit(ownTransferKind, { ...item, request: { ...request, amount } })
}

/** The default BRL wallet of a merchant. */
export async function walletOf({ sql }: Line, merchantId: MerchantId): Promise<WalletId> {
  const [wallet] = await sql.begin((tx) => selectDefaultWallets(tx, [{ merchantId, currency: 'BRL' }]))
  return must(wallet, 'every merchant has one').id
}

/** In BRL: what the default wallet has, what the merchant owes the operator, and what it owes its parent. */
export async function holdings(
  line: Line,
  merchantId: MerchantId,
): Promise<{ readonly has: bigint; readonly owes: bigint; readonly owesParent: bigint }> {
  const rows = await line.sql<{ name: string; minor: bigint }[]>`
    select name, minor from account join balance on account_id = id`
  const of = (name: string) => rows.find((row) => row.name === name)?.minor ?? 0n
  const walletId = await walletOf(line, merchantId)
  return {
    has: of(`wallet:${walletId}:available`),
    owes: of(`receivable:${merchantId}:BRL`),
    owesParent: of(`owes:${merchantId}:BRL`),
  }
}

/** What the books have given of a payment, share by share. */
export async function bookedOf(
  { sql }: Pick<Line, 'sql'>,
  { merchantId, id }: Payment,
): Promise<readonly bigint[]> {
  const [split] = await selectSplits(sql, [{ merchantId, paymentId: id }])
  return must(split, 'the payment is split').shares.map(({ bookedMinor }) => bookedMinor)
}

/** What the platform kept of each share, because its sub-account was closed. */
export async function keptOf({ sql }: Line, { merchantId, id }: Payment): Promise<readonly bigint[]> {
  const [split] = await selectSplits(sql, [{ merchantId, paymentId: id }])
  return must(split, 'the payment is split').shares.map(({ keptMinor }) => keptMinor)
}

const payouts = 't1-payouts' as ConnectionId
const accept = withdrawalKind()

/** The operator lets the sub-account withdraw, and it withdraws all that its default wallet has in BRL. */
export async function withdrawAll(line: Line, merchantId: MerchantId): Promise<void> {
  await line.owner`
    insert into connection (id, mode, method, provider, settings, created_at)
    values (${payouts}, 'SANDBOX', 'PIX_PAYOUT', 'efi', '{}', clock_timestamp())
    on conflict do nothing`
  await changeSubAccount(line.sql, { id: merchantId }, { state: 'ACTIVE' }, by)
  const { has } = await holdings(line, merchantId)
  const place = { pixKey: 'ana@example.com', pixKeyType: 'EMAIL' } as const
  const destination = { text: place.pixKey, fields: place }
  // The parent requests it: it goes to a listed destination alone.
  await line.sql.begin((tx) =>
    insertDestination(tx, {
      merchantId,
      type: 'PIX',
      destination: place.pixKey,
      note: null,
    }),
  )
  const verdict = await line.lane.submit(accept, {
    merchantId,
    mode: 'SANDBOX',
    id: newId<'withdrawal'>(),
    request: { type: 'PIX', amount: Number(has), currency: 'BRL', ...place },
    requestedBy: newId<'api-key'>(),
    routing: { ok: true, connection: payouts, currency: 'BRL', destination },
  })
  assert.equal(verdict.kind, 'created')
}
