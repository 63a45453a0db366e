// Whether deliveries of webhooks were accepted.
import type { Delivery } from './generated.ts'

/** Whether the last attempt was not accepted. */
export function hasFailed({ attempts }: Pick<Delivery, 'attempts'>): boolean {
  const last = attempts.at(-1)
  return last !== undefined && !isAccepted(last.responseStatus)
}

/** Only a 2xx is. */
export function isAccepted(responseStatus: number | undefined): boolean {
  return responseStatus !== undefined && responseStatus >= 200 && responseStatus < 300
}
