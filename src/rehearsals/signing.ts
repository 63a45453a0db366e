// How a delivery of a rehearsal is signed: as a webhook is, or wrongly in one of the ways in which a forger would try.
import { randomBytes } from 'node:crypto'
import { newId, type EventId } from '#/kernel/id.ts'
import { addMs, secondMs } from '#/kernel/time.ts'
import { signatureHeaders } from '#/webhooks/sign.ts'
import type { Message } from './story.ts'

/**
 * - TRUE: as a webhook is signed, at the time of this attempt.
 * - SAME: the very headers of the attempt before of the same event.
 * - TWO: a signature by a secret that the merchant does not have, and a valid one.
 * - The others are forged: signed by another secret; a valid signature of another body, or of another id; no signature; one that is empty.
 * - `offSeconds`: valid, and of another time: negative for the past.
 */
export type Signing =
  | 'TRUE'
  | 'SAME'
  | 'TWO'
  | 'OTHER_SECRET'
  | 'OTHER_BODY'
  | 'OTHER_ID'
  | 'NO_SIGNATURE'
  | 'EMPTY_SIGNATURE'
  | { readonly offSeconds: number }

export type Signed = { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer }

/** What is sent. `last`: what was sent before of this event. */
export function signed(
  { id, body }: Message,
  signing: Signing,
  { secrets, now, last }: { readonly secrets: readonly Buffer[]; readonly now: Date; readonly last?: Signed },
): Signed {
  const by = (how: { secrets?: readonly Buffer[]; at?: Date; id?: EventId; body?: Buffer } = {}) =>
    signatureHeaders({
      id: how.id ?? id,
      attemptAt: how.at ?? now,
      body: how.body ?? body,
      secrets: how.secrets ?? secrets,
    })
  if (typeof signing === 'object')
    return { headers: by({ at: addMs(now, signing.offSeconds * secondMs) }), body }
  switch (signing) {
    case 'TRUE':
      return { headers: by(), body }
    case 'SAME':
      return last ?? { headers: by(), body }
    case 'TWO':
      return { headers: by({ secrets: [randomBytes(24), ...secrets] }), body }
    case 'OTHER_SECRET':
      return { headers: by({ secrets: [randomBytes(24)] }), body }
    case 'OTHER_BODY':
      return { headers: by({ body: Buffer.concat([body, Buffer.from(' ')]) }), body }
    case 'OTHER_ID':
      return { headers: { ...by({ id: newId() }), 'webhook-id': id }, body }
    case 'NO_SIGNATURE': {
      const { 'webhook-signature': _none, ...headers } = by()
      return { headers, body }
    }
    case 'EMPTY_SIGNATURE':
      return { headers: { ...by(), 'webhook-signature': 'v1,' }, body }
  }
}
