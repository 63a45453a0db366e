// The merchant of the world of debts becomes a sub-account: another merchant, its platform, shares payments with it and takes shares
// back, so that the sub-account comes to owe the platform something.
import { randomBytes } from 'node:crypto'
import { must } from '#/kernel/check.ts'
import { newId, type MerchantId, type WalletId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { insertDestination } from '#/money-out/queries.ts'
import { selectAttempts, toAttempt } from '#/payments/attempt-queries.ts'
import { createPaymentCreator } from '#/payments/create.ts'
import type { Payment, PaymentRequest } from '#/payments/payment.ts'
import type { Attempt } from '#/rails/attempt.ts'
import { refundKind, type RefundVerdict } from '#/refunds/request.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import type { CardWorld } from '../card-world.ts'
import { pages } from '../page-hosts.ts'

/** In EUR: what all wallets of the merchant have, and what it owes the operator and its platform. */
export type Standing = { readonly available: bigint; readonly owed: bigint; readonly owes: bigint }

type Free = { readonly id: WalletId; readonly minor: bigint }

export type Family = AsyncDisposable & {
  readonly platform: MerchantId
  /** A payment of the platform, of which the sub-account gets half. */
  share(): Promise<{ readonly payment: Payment; readonly attempt: Attempt }>
  /** The platform refunds some of it, and covers what the sub-account lacks. */
  refund(payment: Payment, amount: number): Promise<RefundVerdict>
  /** The sub-account's default wallet in EUR, then its others that have anything, each with what is available. */
  free(): Promise<readonly [Free, ...Free[]]>
  /** Of both, the sub-account first. */
  standings(): Promise<readonly [sub: Standing, platform: Standing]>
}

/** `destination`: the PIX key to which the sub-account withdraws. */
export async function joinFamily(world: CardWorld, destination: string): Promise<Family> {
  const { line, rails } = world
  const { sql, owner, clock, lane, merchant } = line
  const deps = { sql, clock, sealKey: randomBytes(32), openWallets: openStartingWallets }
  const { merchant: platform } = await createMerchant(deps, { mode: 'SANDBOX', name: 'Plataforma' })
  await owner`
    insert into sub_account (merchant_id, parent_id, state, created_at, activated_at)
    values (${merchant.id}, ${platform.id}, 'ACTIVE', clock_timestamp(), clock_timestamp())`
  // A key that is not the sub-account's own withdraws to listed destinations alone.
  const listed = { merchantId: merchant.id, type: 'PIX', destination, note: null } as const
  await sql.begin((tx) => insertDestination(tx, listed))
  const creator = createPaymentCreator({ pages, sql, rails, ledger: lane, clock, log: silentLog })
  const refunding = refundKind(rails)
  const create = async (request: Partial<PaymentRequest>) => {
    const terms = {
      amount: 1_000,
      currency: 'EUR' as const,
      paymentMethods: ['CREDIT_CARD' as const],
      ...request,
    }
    const { payment } = await creator.create({ id: platform.id, mode: 'SANDBOX' }, newId(), terms)
    const [kept] = await selectAttempts(sql, [{ merchantId: platform.id, paymentId: payment.id }])
    return { payment, attempt: toAttempt(must(kept, 'it has an attempt')) }
  }
  // Money with which the platform can cover something.
  const { attempt } = await create({ amount: 20_000 })
  await world.settle(world.receipt(attempt, 'paid', 'pi_of_the_platform'))
  const standingOf = async (id: MerchantId): Promise<Standing> => {
    const [row] = await sql<Standing[]>`
      select coalesce(sum(balance.minor) filter (where account.name like 'wallet:%'), 0)::bigint as available,
             coalesce(sum(balance.minor) filter (where account.name like 'receivable:%'), 0)::bigint as owed,
             coalesce(sum(balance.minor) filter (where account.name like 'owes:%'), 0)::bigint as owes
        from account join balance on balance.account_id = account.id
       where account.currency = 'EUR'
         and account.name = any (array(select 'wallet:' || wallet.id || ':available' from wallet where merchant_id = ${id})
                                 || array['receivable:' || ${id}::text || ':EUR', 'owes:' || ${id}::text || ':EUR'])`
    return must(row, 'a sum is a row')
  }
  return {
    platform: platform.id,
    share: () => create({ splits: [{ subAccountId: merchant.id, percent: '50' }] }),
    refund(payment, amount) {
      const item = {
        merchantId: platform.id,
        mode: 'SANDBOX',
        paymentId: payment.id,
        id: newId<'refund'>(),
      } as const
      return lane.submit(refunding, { ...item, request: { amount, coverShortfall: true } })
    },
    async free() {
      const rows = await sql<Free[]>`
        select wallet.id, coalesce(balance.minor, 0)::bigint as minor
          from wallet
          left join account on account.name = 'wallet:' || wallet.id || ':available'
          left join balance on balance.account_id = account.id
         where wallet.merchant_id = ${merchant.id} and wallet.currency = 'EUR'
           and (wallet.is_default or balance.minor > 0)
         order by wallet.is_default desc`
      const [own, ...others] = rows
      return [must(own, 'money has come in EUR'), ...others]
    },
    standings: async () => [await standingOf(merchant.id), await standingOf(platform.id)],
    async [Symbol.asyncDispose]() {
      await creator.close()
    },
  }
}
