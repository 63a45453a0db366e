// Webhook endpoints and recoveries.
import type { Endpoint } from '#/endpoints/endpoint.ts'
import * as endpoints from '#/endpoints/queries.ts'
import * as recoveries from '#/endpoints/recovery-queries.ts'
import type { Recovery } from '#/endpoints/recovery.ts'
import { newId } from '#/kernel/id.ts'
import { bounded, paged, type Registry, type World } from './registry.ts'

const key = (w: World, row = 7) => ({ merchantId: w.merchantId, id: w.id('webhook_endpoint', row) })
const failing = (w: World) => [key(w), key(w, 8)]
const recoveryKey = (w: World) => ({ merchantId: w.merchantId, id: w.id('webhook_recovery', 2) })
const endpoint = (w: World): Endpoint => ({
  ...key(w),
  mode: 'LIVE',
  url: 'x',
  eventTypes: null,
  description: null,
  status: 'ENABLED',
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
  previousSecretUntil: null,
  createdAt: w.now,
  version: 1,
})
const recovery = (w: World): Recovery => ({
  ...recoveryKey(w),
  endpointId: null,
  status: 'RUNNING',
  afterSequence: 0n,
  throughSequence: BigInt(w.size),
  reachedSequence: BigInt(w.some[0] ?? 1),
  types: null,
  includeDelivered: false,
  deliveries: 0n,
  createdAt: w.now,
  endedAt: null,
})

export const endpointsRoom: Registry = {
  'endpoints/queries.ts': {
    selectEndpoints: [
      (w) => endpoints.selectEndpoints(w.sql, w.merchantId, { limit: 51 }),
      (w) => endpoints.selectEndpoints(w.sql, w.merchantId, { after: key(w).id, limit: 51 }),
    ],
    selectEndpoint: (w) => endpoints.selectEndpoint(w.sql, w.merchantId, key(w).id),
    selectEndpointsById: (w) => endpoints.selectEndpointsById(w.sql, failing(w)),
    lockMerchant: (w) => endpoints.lockMerchant(w.sql, w.merchantId),
    countEndpoints: bounded(120, 'counts those that are not deleted, at most a hundred', (w) =>
      endpoints.countEndpoints(w.sql, w.merchantId),
    ),
    selectByKey: (w) => endpoints.selectByKey(w.sql, w.merchantId, 'key7'),
    lockEndpoint: (w) => endpoints.lockEndpoint(w.sql, w.merchantId, key(w).id),
    updateEndpoint: (w) => endpoints.updateEndpoint(w.sql, endpoint(w), { url: 'y', status: 'DISABLED' }),
    forgetFailures: (w) => endpoints.forgetFailures(w.sql, key(w)),
    replaceSecret: (w) => endpoints.replaceSecret(w.sql, key(w), Buffer.alloc(1), 1_000),
    markDeleted: (w) => endpoints.markDeleted(w.sql, key(w)),
    selectToDisable: (w) => endpoints.selectToDisable(w.sql, 100),
    lockFailing: (w) => endpoints.lockFailing(w.sql, failing(w)),
    disableFailing: (w) =>
      endpoints.disableFailing(
        w.sql,
        failing(w).map((each) => ({ ...each, reason: 'FAILING', at: w.now, since: w.now })),
      ),
    deleteFailing: (w) => endpoints.deleteFailing(w.sql, failing(w)),
    selectStarting: (w) => endpoints.selectStarting(w.sql, undefined, 100),
    selectToClear: paged(endpoints.selectToClear),
    lockStarting: (w) => endpoints.lockStarting(w.sql, key(w)),
    orderHeld: bounded(400, 'orders a hundred at a time: read, and written', (w) =>
      endpoints.orderHeld(w.sql, key(w), 100),
    ),
    enable: (w) => endpoints.enable(w.sql, key(w)),
    cancelDue: bounded(500, 'cancels a hundred at a time: read, and written in two tables', (w) =>
      endpoints.cancelDue(w.sql, key(w), 100),
    ),
    markCleared: (w) => endpoints.markCleared(w.sql, key(w, 200), 1_000),
    postponeDisabling: (w) => endpoints.postponeDisabling(w.sql, key(w), 1_000),
  },
  'endpoints/recovery-queries.ts': {
    selectRunning: (w) => recoveries.selectRunning(w.sql, w.merchantId, key(w).id),
    selectRecovery: (w) => recoveries.selectRecovery(w.sql, w.merchantId, recoveryKey(w).id),
    listRecoveries: [
      (w) => recoveries.listRecoveries(w.sql, w.merchantId, { limit: 51 }),
      (w) => recoveries.listRecoveries(w.sql, w.merchantId, { before: recoveryKey(w).id, limit: 51 }),
    ],
    selectLastSequence: (w) => recoveries.selectLastSequence(w.sql, w.merchantId),
    markCanceled: (w) => recoveries.markCanceled(w.sql, w.merchantId, recoveryKey(w).id),
    selectWork: (w) => recoveries.selectWork(w.sql, undefined, 100),
    lockRunning: (w) => recoveries.lockRunning(w.sql, recoveryKey(w)),
    countWaiting: bounded(600, 'counts up to five hundred', (w) =>
      recoveries.countWaiting(w.sql, w.merchantId, key(w).id, 500),
    ),
    advanceToEndpoint: bounded(
      2_500,
      'looks at a hundred events and their deliveries, and writes these',
      (w) =>
        recoveries.advanceToEndpoint(
          w.sql,
          { ...recovery(w), endpointId: key(w).id },
          100,
          Array.from({ length: 100 }, () => newId<'delivery'>()),
        ),
    ),
    advanceToUrls: bounded(2_500, 'looks at a hundred events and their deliveries, and writes these', (w) =>
      recoveries.advanceToUrls(w.sql, recovery(w), 100),
    ),
    restRecovery: (w) => recoveries.restRecovery(w.sql, recoveryKey(w), 1_000),
  },
}
