// All SQL of wallets.
import type { Sql, Tx } from '#/db/client.ts'
import type { MerchantId, WalletId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'

/** The default wallets of these merchants in these currencies. */
export function selectDefaultWallets(
  tx: Tx,
  wanted: readonly { readonly merchantId: MerchantId; readonly currency: Currency }[],
): Promise<readonly { merchantId: MerchantId; currency: Currency; id: WalletId }[]> {
  return tx<{ merchantId: MerchantId; currency: Currency; id: WalletId }[]>`
    select distinct wallet.merchant_id as "merchantId", wallet.currency, wallet.id
      from unnest(${wanted.map((each) => each.merchantId)}::uuid[], ${wanted.map((each) => each.currency)}::text[])
           as wanted (merchant_id, currency)
      join wallet on wallet.merchant_id = wanted.merchant_id and wallet.currency = wanted.currency
     where wallet.is_default`
}
