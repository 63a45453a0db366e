// One change that a person made, as the audit log stores it.
import type { MerchantId } from '#/kernel/id.ts'

/**
 * Who did it.
 * - `OPERATOR`: a person at the command line; `id` is the operating-system user and the machine.
 * - `API_KEY`: a merchant's program; `id` is the key's id.
 * - `SYSTEM`: a part of the program; `id` is its name.
 */
export type Actor = { readonly kind: 'OPERATOR' | 'API_KEY' | 'SYSTEM'; readonly id: string }

export type AuditEntry = {
  readonly actor: Actor
  /** `room.verb`, such as `key.revoke`. */
  readonly action: string
  /** `kind:id`, such as `refund:019a…`. */
  readonly subject: string
  /** The merchant of the subject. Absent: it belongs to the operator. */
  readonly merchantId?: MerchantId
  /** The changed fields, before and after. Never a secret. */
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
  readonly reason?: string
}
