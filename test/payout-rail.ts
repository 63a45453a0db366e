// A payout rail without a bank: it checks PIX keys as the real one does, and the test decides how payouts end.
import { pixKeyTypes } from '#/contract/withdrawals.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { PayoutOrder, PayoutRail, PayoutRails, PayoutResult } from '#/rails/payout-rail.ts'
import { parsePixKey } from '#/rails/pix/pix-key.ts'

export const payoutConnection = 'a1-payouts' as ConnectionId

/** By default a sent payout stays under way for ever; `send` changes that. */
export function testPayoutRails(
  send: (order: PayoutOrder, again: boolean) => Promise<PayoutResult> = async () => ({
    state: 'sent',
    evidence: Buffer.from('sent'),
  }),
  more: Partial<PayoutRail> = {},
): PayoutRails {
  const rail: PayoutRail = {
    type: 'PIX',
    route({ currency, pixKey = '', pixKeyType }) {
      if (currency !== 'BRL')
        return { ok: false, code: 'currency_not_supported', detail: 'BRL.', pointer: '/currency' }
      const type = pixKeyTypes.find((each) => each === pixKeyType)
      const parsed = type === undefined ? undefined : parsePixKey(type, pixKey)
      if (parsed === undefined || !parsed.ok)
        return { ok: false, code: 'invalid_request', detail: 'The PIX key is none.', pointer: '/pixKey' }
      const destination = { text: parsed.key, fields: { pixKey: parsed.key } }
      return { ok: true, connection: payoutConnection, currency: 'BRL', destination }
    },
    send,
    source: () => ({ at: 'PROVIDER' }),
    ...more,
  }
  return new Map([['PIX', rail]])
}
