// One change that a person made, as it is kept.
import type { MerchantId } from '#/kernel/id.ts'

/**
 * Who did it.
 * - `OPERATOR`: a person at the command line; `id` is the operating-system user and the machine.
 * - `API_KEY`: a merchant's program; `id` is the key's id.
 * - `SYSTEM`: a part of the program by itself; `id` is the part's name.
 */
export type Actor = { readonly kind: 'OPERATOR' | 'API_KEY' | 'SYSTEM'; readonly id: string }

export type AuditEntry = {
  readonly actor: Actor
  /** `room.verb`, such as `key.revoke`. */
  readonly action: string
  /** `kind:id`, such as `refund:019a…`. */
  readonly subject: string
  /** Whose it is. Absent: the operator's own. */
  readonly merchantId?: MerchantId
  /** What changed, as it was and as it is. Never a secret. */
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
  readonly reason?: string
}
