// The SQL of money that waits until its provider's settlement delay is over.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow, type IsDue } from '#/db/due.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { PaymentRef } from '#/rails/attempt.ts'

/** One receipt's money, by the receipt's number among those of its payment. */
export type ReleaseKey = PaymentRef & { readonly ordinal: number }

export type NewRelease = ReleaseKey & {
  readonly currency: Currency
  readonly minor: bigint
  /** What of it went into the pending balances of the recipients of a split, in their order. */
  readonly shareMinors: readonly bigint[]
  /** How long it waits from now on. */
  readonly delayMs: number
}

export async function insertReleases(tx: Tx, news: readonly NewRelease[]): Promise<void> {
  await tx`
    insert into release (merchant_id, payment_id, ordinal, currency, minor, share_minors, release_at)
    select merchant_id, payment_id, ordinal, currency, minor, share_minors::bigint[],
           ${dueNow(tx)} + delay_ms * interval '1 millisecond'
      from unnest(${list(news.map((each) => each.merchantId))}::uuid[], ${list(news.map((each) => each.paymentId))}::uuid[],
                  ${list(news.map((each) => each.ordinal))}::integer[], ${list(news.map((each) => each.currency))}::text[],
                  ${list(news.map((each) => each.minor))}::bigint[],
                  ${list(news.map((each) => `{${each.shareMinors.join(',')}}`))}::text[],
                  ${list(news.map((each) => each.delayMs))}::float8[])
           as new (merchant_id, payment_id, ordinal, currency, minor, share_minors, delay_ms)`
}

/** What these payments received in each currency and is still to be released, including what was debited since. */
export function selectWithheld(
  tx: Tx,
  refs: readonly PaymentRef[],
): Promise<
  readonly { readonly paymentId: PaymentId; readonly currency: Currency; readonly minor: bigint }[]
> {
  return tx<{ paymentId: PaymentId; currency: Currency; minor: bigint }[]>`
    select release.payment_id as "paymentId", release.currency, sum(release.minor)::bigint as minor
      from (select distinct *
              from unnest(${list(refs.map((each) => each.merchantId))}::uuid[],
                          ${list(refs.map((each) => each.paymentId))}::uuid[]) as ref (merchant_id, payment_id)) as wanted
      join release using (merchant_id, payment_id)
     where release.released_at is null
     group by release.payment_id, release.currency`
}

/** Due releases, the longest due first. */
export function selectDueReleases(sql: Sql, limit: number): Promise<readonly ReleaseKey[]> {
  return sql<(ReleaseKey & { merchantId: MerchantId })[]>`
    select merchant_id as "merchantId", payment_id as "paymentId", ordinal
      from release
     where released_at is null and release_at <= ${dueNow(sql)}
     order by release_at
     limit ${limit}`
}

export const isReleaseDue: IsDue = (sql) =>
  sql`exists (select from release where released_at is null and release_at <= ${dueNow(sql)})`

export type OpenRelease = ReleaseKey & {
  readonly currency: Currency
  readonly minor: bigint
  /** What came, before our fee. */
  readonly cameMinor: bigint
  /** What went into the pending balances of the recipients of a split; null: their shares are given at the release. */
  readonly shareMinors: readonly bigint[] | null
  /** SHA-256 of the evidence that the money came. */
  readonly cause: Buffer
}

/** The releases of these keys that are not done yet. */
export function selectOpenReleases(tx: Tx, keys: readonly ReleaseKey[]): Promise<readonly OpenRelease[]> {
  return tx<OpenRelease[]>`
    select release.merchant_id as "merchantId", release.payment_id as "paymentId", release.ordinal, release.currency,
           release.minor, release.share_minors as "shareMinors", receipt.booked_minor as "cameMinor",
           sha256(receipt.evidence) as cause
      from unnest(${list(keys.map((each) => each.merchantId))}::uuid[], ${list(keys.map((each) => each.paymentId))}::uuid[],
                  ${list(keys.map((each) => each.ordinal))}::integer[]) as wanted (merchant_id, payment_id, ordinal)
      join release using (merchant_id, payment_id, ordinal)
      join receipt using (merchant_id, payment_id, ordinal)
     where release.released_at is null`
}

/** Makes these due in `waitMs`. */
export async function postponeReleases(tx: Tx, keys: readonly ReleaseKey[], waitMs: number): Promise<void> {
  await tx`
    update release
       set release_at = ${dueIn(tx, waitMs)}
      from unnest(${list(keys.map((each) => each.merchantId))}::uuid[], ${list(keys.map((each) => each.paymentId))}::uuid[],
                  ${list(keys.map((each) => each.ordinal))}::integer[]) as late (merchant_id, payment_id, ordinal)
     where release.merchant_id = late.merchant_id and release.payment_id = late.payment_id
       and release.ordinal = late.ordinal`
}

export type Released = ReleaseKey & { readonly releasedMinor: bigint }

export async function writeReleased(tx: Tx, releases: readonly Released[], at: Date): Promise<void> {
  await tx`
    update release
       set released_at = ${at}, released_minor = new.minor, shares_released = true
      from unnest(${list(releases.map((each) => each.merchantId))}::uuid[],
                  ${list(releases.map((each) => each.paymentId))}::uuid[],
                  ${list(releases.map((each) => each.ordinal))}::integer[],
                  ${list(releases.map((each) => each.releasedMinor))}::bigint[])
           as new (merchant_id, payment_id, ordinal, minor)
     where release.merchant_id = new.merchant_id and release.payment_id = new.payment_id
       and release.ordinal = new.ordinal`
}
