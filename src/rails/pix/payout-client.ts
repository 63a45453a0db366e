// The payout API of a PSP in Efí's shape: one function, one call.
import { given } from '#/kernel/given.ts'
import type { Routes } from '#/rails/http.ts'
import { type Answered, type PixClientOptions, eachPage, openApi, read } from './client.ts'
import { parseBalance, parsePayout, parsePayoutPage, type Payout, type PayoutPage } from './payout-wire.ts'
import { parseJson, toAmountText } from './wire.ts'

export type NewPayout = {
  /** Ours, at most 35 letters and digits: the PSP pays once per reference, for any number of calls. */
  readonly reference: string
  /** Centavos. */
  readonly amount: bigint
  /** The paying key, and the recipient's key. */
  readonly from: string
  readonly to: string
  /** The recipient may read it; at most 140 characters. */
  readonly note?: string
}

/** Every function rejects with ProviderError; with a PixError when the PSP answered. */
export type PayoutClient = {
  put(payout: NewPayout): Promise<Answered<Payout>>
  /** Undefined when the PSP does not have it. */
  find(reference: string): Promise<Answered<Payout> | undefined>
  /** Returns the payouts that were requested in a span, both ends included, page by page. */
  list(span: { readonly from: Date; readonly to: Date }): AsyncIterable<PayoutPage>
  /** Returns the balance of the account, in centavos. */
  balance(): Promise<bigint>
  close(): Promise<void>
}

/** Every call that this client makes, except the one for a token. */
export const payoutRoutes = {
  put: 'PUT /v3/gn/pix/{idEnvio}',
  find: 'GET /v2/gn/pix/enviados/id-envio/{idEnvio}',
  list: 'GET /v2/gn/pix/enviados',
  balance: 'GET /v2/gn/saldo',
} as const satisfies Routes

export function createPayoutClient(options: PixClientOptions): PayoutClient {
  const api = openApi(options, payoutRoutes)
  const toPayout = (body: Buffer) => parsePayout(parseJson(body))
  return {
    async put({ reference, amount, from, to, note }) {
      const body = {
        valor: toAmountText(amount),
        pagador: { chave: from, ...given({ infoPagador: note }) },
        favorecido: { chave: to },
      }
      const parts = { idEnvio: reference }
      return read(await api.call('payout', { to: 'put', parts, body }), toPayout)
    },
    find: (reference) => api.find('payout', { to: 'find', parts: { idEnvio: reference } }, toPayout),
    list: (span) =>
      eachPage(options.profile, span, async (query) =>
        parsePayoutPage((await api.call('payout', { to: 'list', query })).body),
      ),
    async balance() {
      return parseBalance((await api.call('payout', { to: 'balance' })).body)
    },
    close: api.close,
  }
}
