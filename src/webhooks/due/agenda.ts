// Decides which receiver is next. All of it is in memory and pure. No receiver delays another, however many deliveries are due for
// it and however slowly or badly it answers:
// - merchants take turns, and the receivers of a merchant take turns;
// - a receiver has a window of sends in flight, which grows with each success and is halved by each failure;
// - a receiver whose window shrank to one by failures is a suspect; all suspects together may use a part of the room only, so
//   receivers that hang can never fill all of it;
// - what a recovery sends goes one after another.
import type { MerchantId } from '#/kernel/id.ts'
import { recoveryPrefix, type Receiver } from '../event.ts'
import type { Turn } from './queries.ts'

/** The most sends in flight at once. */
export type Caps = {
  readonly total: number
  readonly suspects: number
  readonly merchant: number
  readonly receiver: number
}

export type Agenda = {
  /** There may be something due for this receiver. */
  add(receiver: Receiver): void
  /** The receivers to claim for now, `limit` deliveries at most. Reserves room for them: the caller reports each turn to `claimed`. */
  nextTurns(limit: number): readonly Turn[]
  /** How many deliveries a turn's claim really got. Fewer than its slots: nothing more is due there for now. */
  claimed(turn: Turn, count: number): void
  /** A send has ended. Returns `suspect` when the receiver is a suspect now: then it is off the agenda until it is added again. */
  settled(receiver: Receiver, success: boolean): 'good' | 'suspect'
}

type Standing = {
  readonly receiver: Receiver
  window: number
  inFlight: number
  suspect: boolean
  /** Something may be due here. */
  due: boolean
}

type Tenant = {
  inFlight: number
  readonly good: Map<string, Standing>
  readonly suspects: Map<string, Standing>
}

/** The window of a receiver without a history. */
const windowAtFirst = 4

/** Above this number of waiting receivers of one merchant, further ones are not added: discovery finds them again later. */
const waitingMax = 5_000

/** Above this number, the standings of idle receivers are dropped. */
const standingsMax = 20_000

export function createAgenda(caps: Caps): Agenda {
  const floor = createFloor(caps)

  /** Moves turns from one queue of a merchant to `turns` until its room or `limit` is used up. Returns the number of slots. */
  function turnsFrom(tenant: Tenant, queue: Map<string, Standing>, limit: number, turns: Turn[]): number {
    let slotsGiven = 0
    // Only a receiver for which there was no more room is put back at the end of the queue while we walk: the walk ends there.
    for (const standing of queue.values()) {
      const room = Math.min(limit - slotsGiven, floor.roomFor(standing, tenant))
      if (room <= 0) break
      const slots = Math.min(room, standing.window - standing.inFlight)
      floor.move(standing, slots)
      floor.place(standing)
      turns.push({ receiver: standing.receiver, slots })
      slotsGiven += slots
    }
    return slotsGiven
  }

  return {
    add(receiver) {
      if (floor.waitingOf(receiver.merchantId) >= waitingMax) return
      const standing = floor.standingOf(receiver)
      if (standing.due) return
      standing.due = true
      floor.place(standing)
    },
    nextTurns(limit) {
      const turns: Turn[] = []
      let room = limit
      let remaining = floor.tenants.size
      for (const [merchantId, tenant] of floor.tenants) {
        if (room <= 0 || remaining === 0) break
        remaining -= 1
        room -= turnsFrom(tenant, tenant.good, room, turns)
        room -= turnsFrom(tenant, tenant.suspects, room, turns)
        floor.tenants.delete(merchantId)
        floor.tenants.set(merchantId, tenant)
      }
      return turns
    },
    claimed({ receiver, slots }, count) {
      const standing = floor.standingOf(receiver)
      floor.move(standing, count - slots)
      if (count < slots) standing.due = false
      floor.place(standing)
    },
    settled(receiver, success) {
      const standing = floor.standingOf(receiver)
      floor.move(standing, -1)
      const window = success ? standing.window + 1 : standing.window >> 1
      standing.window = Math.max(1, Math.min(windowMax(caps, receiver), window))
      floor.judge(standing, !success && standing.window === 1)
      if (standing.suspect) standing.due = false
      floor.place(standing)
      return standing.suspect ? 'suspect' : 'good'
    },
  }
}

/** The standings, the queues they wait in, and the room in use. */
function createFloor(caps: Caps) {
  // No LRU library: only an idle receiver may be dropped, and the queues hold the others by reference.
  const standings = new Map<string, Standing>()
  /** Merchants with something in flight or a receiver that can get a turn, the next one first. */
  const tenants = new Map<MerchantId, Tenant>()
  let inFlight = 0
  let suspectsInFlight = 0

  function tenantOf({ merchantId }: Receiver): Tenant {
    const tenant = tenants.get(merchantId) ?? { inFlight: 0, good: new Map(), suspects: new Map() }
    tenants.set(merchantId, tenant)
    return tenant
  }

  return {
    tenants,
    standingOf(receiver: Receiver): Standing {
      const window = Math.min(windowAtFirst, windowMax(caps, receiver))
      const made = { receiver, window, inFlight: 0, suspect: false, due: false }
      const standing = standings.get(keyOf(receiver)) ?? made
      standings.set(keyOf(receiver), standing)
      return standing
    },
    waitingOf(merchantId: MerchantId): number {
      const tenant = tenants.get(merchantId)
      return tenant === undefined ? 0 : tenant.good.size + tenant.suspects.size
    },
    /** How many more sends the caps allow. Does not count the receiver's own window. */
    roomFor(standing: Standing, tenant: Tenant): number {
      const room = Math.min(caps.total - inFlight, caps.merchant - tenant.inFlight)
      return standing.suspect ? Math.min(room, caps.suspects - suspectsInFlight) : room
    },
    move(standing: Standing, by: number): void {
      standing.inFlight += by
      tenantOf(standing.receiver).inFlight += by
      inFlight += by
      if (standing.suspect) suspectsInFlight += by
    },
    judge(standing: Standing, suspect: boolean): void {
      if (standing.suspect !== suspect) suspectsInFlight += suspect ? standing.inFlight : -standing.inFlight
      standing.suspect = suspect
    },
    /** Puts the receiver at the end of its merchant's queue when it can get a turn, else off the queue; drops idle standings. */
    place(standing: Standing): void {
      const key = keyOf(standing.receiver)
      const tenant = tenantOf(standing.receiver)
      tenant.good.delete(key)
      tenant.suspects.delete(key)
      if (standing.due && hasRoom(standing))
        (standing.suspect ? tenant.suspects : tenant.good).set(key, standing)
      if (!standing.due && standing.inFlight === 0 && standings.size > standingsMax) standings.delete(key)
      if (tenant.inFlight === 0 && tenant.good.size === 0 && tenant.suspects.size === 0) {
        tenants.delete(standing.receiver.merchantId)
      }
    },
  }
}

function windowMax(caps: Caps, { origin }: Receiver): number {
  return origin.startsWith(recoveryPrefix) ? 1 : caps.receiver
}

/** A claim of one delivery costs nearly as much as a claim of many: a wide window waits until a quarter of it is free. */
function hasRoom({ window, inFlight }: Standing): boolean {
  return window - inFlight >= Math.max(1, window >> 2)
}

function keyOf({ merchantId, origin }: Receiver): string {
  return `${merchantId} ${origin}`
}
