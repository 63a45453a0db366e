// One change that a person made, as the audit log stores it.
import type { ApiKeyId, MerchantId } from '#/kernel/id.ts'

/**
 * Who did it.
 * - `OPERATOR`: a person at the command line; `id` is the operating-system user and the machine.
 * - `API_KEY`: a merchant's program; `id` is the key's id.
 * - `USER`: a person in the dashboard; `id` is the user's id.
 * - `SYSTEM`: a part of the program; `id` is its name.
 */
export type Actor = { readonly kind: 'OPERATOR' | 'API_KEY' | 'USER' | 'SYSTEM'; readonly id: string }

/** Who does something, and how it reached us: what each audit entry of a change needs to know of its caller. */
export type By = {
  readonly actor: Actor
  /** The caller's network address. */
  readonly address?: string
  readonly requestId?: string
  /** Why, where the person said it. */
  readonly reason?: string
}

export type AuditEntry = By & {
  /** `room.verb`, such as `key.revoke`. */
  readonly action: string
  /** `kind:id`, such as `refund:019a…`. */
  readonly subject: string
  /** The merchant of the subject. Absent: it belongs to the operator. */
  readonly merchantId?: MerchantId
  /** The changed fields, before and after. Never a secret. */
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
}

/** Of what the key `by` did: the origin of its request where there is one, as for members, who act by a key of their own. */
export function originOf(by: ApiKeyId, origin: By | undefined): By {
  return origin ?? { actor: { kind: 'API_KEY', id: by } }
}
