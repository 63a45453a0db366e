// Making and changing payout schedules. Each change writes its audit row in its own transaction.
import type { Sql, Tx } from '#/db/client.ts'
import { readNow } from '#/db/due.ts'
import type { ApiKeyId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import { isSameCall } from '#/kernel/same-call.ts'
import { sha256 } from '#/kernel/secret.ts'
import { requireStart } from '#/merchants/account-state.ts'
import { selectMoved } from '#/merchants/queries.ts'
import { lockState } from '#/merchants/sub-account-queries.ts'
import { loadOwnDestinations } from '#/money-out/own-destinations.ts'
import { selectDestinations } from '#/money-out/queries.ts'
import { originOf, type By } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { selectWalletsById } from '#/wallets/queries.ts'
import * as queries from './schedule-queries.ts'
import { nextDue, type PayoutSchedule, type ScheduleStatus } from './schedule.ts'

export type ScheduleMade =
  | { readonly kind: 'created' | 'replayed'; readonly schedule: PayoutSchedule }
  /** The key made this schedule before, with another body. */
  | { readonly kind: 'conflict'; readonly schedule: PayoutSchedule }
  | { readonly kind: 'unknown_wallet' | 'not_spendable' | 'own_destination' | 'not_listed' | 'too_many' }

/** A merchant's schedules that have not ended. */
export const schedulesMax = 100

/** Makes a schedule, whose first run is after its creation. `destination`: the normal form, which the merchant's list must contain. */
export function makeSchedule(
  sql: Sql,
  request: Omit<queries.NewSchedule, 'createdAt' | 'dueAt' | 'movedMs'>,
  destination: string,
  origin?: By,
): Promise<ScheduleMade> {
  return sql.begin(async (tx): Promise<ScheduleMade> => {
    const { merchantId, idempotencyKey } = request
    const [createdAt, movedMs] = await Promise.all([readNow(tx), selectMoved(tx, merchantId)])
    const dueAt = nextDue(request.rule, createdAt, movedMs)
    const schedule: queries.NewSchedule = { ...request, createdAt, dueAt, movedMs }
    const earlier =
      idempotencyKey === undefined
        ? undefined
        : await queries.selectScheduleByKey(tx, merchantId, idempotencyKey)
    if (earlier !== undefined) return sameOrNot(earlier, request)
    requireStart(await lockState(tx, merchantId), 'schedule')
    const obstacle = await obstacleTo(tx, schedule, destination)
    if (obstacle !== undefined) return { kind: obstacle }
    if (!(await queries.insertSchedule(tx, schedule))) {
      // Another call with this key was faster: its row is committed now.
      const made = await queries.selectScheduleByKey(tx, merchantId, idempotencyKey ?? '')
      if (made !== undefined) return sameOrNot(made, request)
    }
    await writeAudit(tx, [
      {
        ...originOf(schedule.requestedBy, origin),
        action: 'payout_schedule.create',
        subject: `payout_schedule:${schedule.id}`,
        merchantId,
        after: { rule: schedule.rule, request: schedule.request },
      },
    ])
    return { kind: 'created', schedule }
  })
}

type Asked = Pick<queries.NewSchedule, 'request' | 'rule'>

/** Of what a call asks for. */
export function scheduleFingerprint({ request, rule }: Asked): Buffer {
  return sha256(canonicalJson({ request, rule }))
}

function sameOrNot(made: queries.NewSchedule, { request, rule }: Asked): ScheduleMade {
  const isSame = isSameCall(made.fingerprint, (spell) =>
    scheduleFingerprint({ request: spell(request), rule }),
  )
  return { kind: isSame ? 'replayed' : 'conflict', schedule: made }
}

type Obstacle = Exclude<ScheduleMade['kind'], 'created' | 'replayed' | 'conflict'>

async function obstacleTo(
  tx: Tx,
  { merchantId, walletId, currency, request }: queries.NewSchedule,
  destination: string,
): Promise<Obstacle | undefined> {
  const place = { type: request.type, destination }
  const [own, [wallet], listed, count] = await Promise.all([
    loadOwnDestinations(tx, [place]),
    selectWalletsById(tx, [{ merchantId, id: walletId }]),
    selectDestinations(tx, [merchantId]),
    queries.countOpen(tx, merchantId),
  ])
  if (wallet === undefined || wallet.currency !== currency) return 'unknown_wallet'
  if (wallet.walletType !== 'SPENDABLE' || !wallet.isActive) return 'not_spendable'
  if (own.has(place)) return 'own_destination'
  if (!listed.some((each) => each.type === request.type && each.destination === destination))
    return 'not_listed'
  return count >= schedulesMax ? 'too_many' : undefined
}

export type ScheduleChange = {
  readonly status?: ScheduleStatus
  readonly keep?: number
  readonly minimum?: number
}

export type ScheduleChanged =
  | { readonly kind: 'changed'; readonly schedule: PayoutSchedule }
  /** It has ended. */
  | { readonly kind: 'refused'; readonly schedule: PayoutSchedule }
  | { readonly kind: 'not_found' }

/** Changes a schedule for the key `by`. Its next run is computed anew from now, by the database's clock. */
export function changeSchedule(
  sql: Sql,
  key: queries.ScheduleKey,
  change: ScheduleChange,
  by: ApiKeyId,
  origin?: By,
): Promise<ScheduleChanged> {
  return sql.begin(async (tx): Promise<ScheduleChanged> => {
    const [schedule] = await queries.lockSchedules(tx, [key])
    if (schedule === undefined) return { kind: 'not_found' }
    const { status = schedule.status, ...amounts } = change
    const rule = { ...schedule.rule, ...amounts }
    const isSame = status === schedule.status && canonicalJson(rule) === canonicalJson(schedule.rule)
    if (isSame) return { kind: 'changed', schedule }
    if (schedule.status === 'ENDED') return { kind: 'refused', schedule }
    requireStart(await lockState(tx, key.merchantId), 'scheduleChange')
    const changed: PayoutSchedule = {
      ...schedule,
      status,
      rule,
      dueAt: status === 'ACTIVE' ? nextDue(rule, await readNow(tx), schedule.movedMs) : null,
      version: schedule.version + 1,
    }
    await queries.writeSchedules(tx, [changed])
    const hasOtherAmounts = canonicalJson(rule) !== canonicalJson(schedule.rule)
    if (hasOtherAmounts) await queries.addChanger(tx, key, by)
    await writeAudit(tx, [
      {
        ...originOf(by, origin),
        action: 'payout_schedule.change',
        subject: `payout_schedule:${schedule.id}`,
        merchantId: key.merchantId,
        before: { status: schedule.status, rule: schedule.rule },
        after: { status, rule },
      },
    ])
    return { kind: 'changed', schedule: changed }
  })
}
