// What an act concerns. Each route that changes something says it, and so does each act of an operator: what concerns anything needs a
// second factor that is not older than five minutes.

/**
 * - `money`: it moves money, decides that it moves, or changes where it goes and how much may go.
 * - `people`: who may do what, by session or by key; and what shows a secret.
 * - `payers`: where payers are sent, and whom they are told to write to.
 * - `events`: where events go, also that they go nowhere any more.
 * - `asks`: it asks in its own transaction, by rules of its own (src/people), or in its handler.
 * - `{ none }`: nothing of it, with the reason. `unlessBodyHas`: but where the body has one of these fields.
 */
export type Concern =
  | 'money'
  | 'people'
  | 'payers'
  | 'events'
  | 'asks'
  | { readonly none: string; readonly unlessBodyHas?: readonly string[] }

/** It concerns nothing, for this reason. */
export const none = (reason: string) => ({ none: reason })

export const ends = none('it ends a right or what was begun, and may be urgent')
export const stays = none('the money stays')
export const known = none('it goes where events go already')
export const sandbox = none('of a sandbox alone')
export const signsIn = none('it is how a person signs in or gives a factor')

/** Fields by which a payment or a link sends events or payers to an address of its own. */
export const addressesInBody = ['webhookUrl', 'returnUrl', 'cancelUrl']

/** What decides about an act. Its concern is absent where it only reads. */
export type Concerned = { readonly method: string; readonly concern?: Concern | undefined }

/** Whether the act needs a fresh second factor, whatever its body is. One that does not say what it concerns does. */
export function needsFactor({ method, concern }: Concerned): boolean {
  if (concern === undefined) return method !== 'GET'
  return typeof concern === 'string' && concern !== 'asks'
}

/** Whether this body makes the act concern where events go or payers are sent. */
export function bodyNeedsFactor({ concern }: Concerned, body: unknown): boolean {
  const { unlessBodyHas = [] } = typeof concern === 'object' ? concern : {}
  return (
    typeof body === 'object' && body !== null && unlessBodyHas.some((field) => Object.hasOwn(body, field))
  )
}
