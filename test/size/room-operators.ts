// What operators do: the worker's public key, and the jobs that they request.
import { must } from '#/kernel/check.ts'
import * as workerKey from '#/merchants/connection-queries.ts'
import type { OperatorJobId } from '#/operator-jobs/operator-job.ts'
import * as jobs from '#/operator-jobs/queries.ts'
import { sealedPlaces } from '#/rekey/places.ts'
import * as rekey from '#/rekey/queries.ts'
import { bounded, claimOf, everything, leaseMs, slots, type Registry, type World } from './registry.ts'

const jobOf = (w: World): OperatorJobId => w.id('operator_job', w.some[0] ?? 1)
const dueOf = (w: World) => ({ claim: claimOf(jobOf(w)) })
const publicKey = { publicKey: Buffer.alloc(32), origin: 'OPERATOR', mac: Buffer.alloc(32) } as const

const resealing = 'reads everything that is sealed, page by page, when an operator changes the master key'
const fingerprint = Buffer.alloc(8)

export const operatorsRoom: Registry = {
  'rekey/queries.ts': {
    selectSealedValues: everything(
      resealing,
      ...sealedPlaces.map((place) => (w: World) => rekey.selectSealedValues(w.sql, place, undefined, 100)),
    ),
    updateSealedValues: (w) =>
      rekey.updateSealedValues(w.sql, must(sealedPlaces[0], 'there are places'), [
        { owner: null, id: w.id('merchant', 3), sealed: Buffer.alloc(9), resealed: Buffer.alloc(9) },
      ]),
    selectOuterSecrets: (w) => rekey.selectOuterSecrets(w.sql),
    selectHeadKey: (w) => rekey.selectHeadKey(w.sql, 'a1'),
    selectKeyInForce: (w) => rekey.selectKeyInForce(w.sql, 'MASTER'),
    writeKeyInForce: (w) => rekey.writeKeyInForce(w.sql, 'MASTER', fingerprint),
    selectUnrenewedKeys: everything('lists the keys of all merchants', (w) =>
      rekey.selectUnrenewedKeys(w.sql, fingerprint, 100),
    ),
    selectUsersOfOldCodes: everything('lists the users with recovery codes', (w) =>
      rekey.selectUsersOfOldCodes(w.sql, fingerprint, 100),
    ),
  },
  'merchants/connection-queries.ts': {
    selectPublicKey: (w) => workerKey.selectPublicKey(w.sql),
    updatePublicKey: (w) => workerKey.updatePublicKey(w.sql, publicKey, publicKey),
  },
  'operator-jobs/queries.ts': {
    insertJob: bounded(200, 'it counts the jobs of its kind that have not ended, up to the most', (w) =>
      jobs.insertJob(
        w.sql,
        {
          id: w.id('operator_job', w.size + 1),
          kind: 'verify',
          arguments: {},
          requestedBy: { kind: 'OPERATOR', id: 'ana' },
        },
        100,
      ),
    ),
    selectJob: (w) => jobs.selectJob(w.sql, jobOf(w)),
    lockJob: (w) => jobs.lockJob(w.sql, jobOf(w)),
    selectJobs: [
      (w) => jobs.selectJobs(w.sql, { limit: 100 }),
      (w) => jobs.selectJobs(w.sql, { before: jobOf(w), limit: 100 }),
      (w) => jobs.selectJobs(w.sql, { kind: 'rescue', limit: 100 }),
      (w) => jobs.selectJobs(w.sql, { kind: 'verify', before: jobOf(w), limit: 100 }),
    ],
    cancelOpenJob: (w) => jobs.cancelOpenJob(w.sql, jobOf(w)),
    claimJobs: (w) => jobs.claimJobs(w.sql, slots, leaseMs, ['verify', 'rescue']),
    renewJob: (w) => jobs.renewJob(w.sql, dueOf(w), leaseMs, { key: 'job.verify' }),
    endJob: (w) => jobs.endJob(w.sql, dueOf(w), { status: 'DONE', result: '{}' }),
    postponeJob: (w) => jobs.postponeJob(w.sql, dueOf(w), 1_000),
    deleteEndedJobs: bounded(
      1_100,
      'each is found by its end, then deleted by its id, without returning it',
      (w) => jobs.deleteEndedJobs(w.sql, { agoMs: 90 * 24 * 3_600_000, limit: 500 }),
    ),
  },
}
