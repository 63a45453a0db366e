// Where withdrawals go, and who requested one.
import type { Currency, Withdrawal, WithdrawalType } from './generated.ts'
import { useRead } from './queries.ts'
import { useMerchant, useSession } from './session.ts'

/** What each type pays out. */
export const currencyOfType = { PIX: 'BRL', CRYPTO: 'USDT', SEPA: 'EUR' } as const satisfies Record<
  WithdrawalType,
  Currency
>

/** Where the money goes. */
export type Destination = Pick<
  Withdrawal,
  'type' | 'pixKey' | 'pixKeyType' | 'cryptoAddress' | 'iban' | 'beneficiary'
>

/** As the audit log calls them. */
const audited = { Withdrawal: 'withdrawal', WithdrawalBatch: 'withdrawal_batch', Refund: 'refund' } as const
export type Requested = keyof typeof audited

/** The member who requested a record in the dashboard, by the audit log. Undefined for requests by the API. */
export function useRequester(
  kind: Requested,
  id: string,
): { readonly name: string; readonly isMe: boolean } | undefined {
  const { may } = useMerchant()
  const { user } = useSession()
  const { data } = useRead('listAudit', {
    query: { subject: `${audited[kind]}:${id}`, action: `${audited[kind]}.create`, limit: 1 },
    enabled: may('audit:read'),
  })
  const row = data?.data[0]
  if (row === undefined) return undefined
  return { name: row.actorName ?? row.actorId, isMe: row.actorKind === 'USER' && row.actorId === user.id }
}
