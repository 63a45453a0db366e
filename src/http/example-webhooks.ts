// Webhook endpoints and recoveries, as the examples of openapi.json show them.
import { restoreRecord } from '#/webhooks/event.ts'
import { createdAt, ids } from './example-records.ts'

export const endpoint = {
  id: ids.endpoint,
  mode: 'SANDBOX',
  url: 'https://shop.example.com/webhooks',
  eventTypes: ['payment.completed', 'refund.completed'],
  description: 'The shop',
  status: 'ENABLED',
  createdAt,
  version: 1,
} as const

/** The secret of the test vector of Standard Webhooks 1.0.0. */
export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

export const disabledEndpoint = {
  ...endpoint,
  status: 'DISABLED',
  disabledReason: 'FAILING',
  disabledAt: '2026-11-26T02:10:00.000Z',
  failingSince: '2026-11-21T02:10:00.000Z',
  version: 2,
} as const

export const restore = restoreRecord({
  id: ids.recovery,
  mode: 'SANDBOX',
  lostFrom: '2026-11-26T02:10:00.000Z',
  lostTo: '2026-11-26T03:02:00.000Z',
  lastSequence: 4711,
  firstSequence: 1004712,
})

export const recovery = {
  id: ids.recovery,
  endpointId: ids.endpoint,
  status: 'RUNNING',
  afterSequence: 1200,
  throughSequence: 4711,
  reachedSequence: 1700,
  includeDelivered: false,
  deliveries: 38,
  createdAt,
} as const
