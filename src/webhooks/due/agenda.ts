// Whose turn it is. Pure bookkeeping in memory, so that no endpoint delays another, however much is due for it and
// however slowly or badly it answers:
// - merchants take turns, and the endpoints of a merchant take turns;
// - an endpoint has a window of sends in flight, which grows with each success and is halved by each failure;
// - an endpoint that is down to a window of one by failing is a suspect, and all suspects together have a part of the
//   room only, so endpoints that hang can never hold all of it.
import type { MerchantId } from '#/kernel/id.ts'
import type { Endpoint } from '../event.ts'
import type { Turn } from './queries.ts'

/** The most sends in flight at once. */
export type Caps = {
  readonly total: number
  readonly suspects: number
  readonly merchant: number
  readonly endpoint: number
}

export type Agenda = {
  /** There may be something due for this endpoint. */
  add(endpoint: Endpoint): void
  /** Whose deliveries to claim now, at most `limit` in all. Takes the room for them: each turn must be answered by `claimed`. */
  take(limit: number): readonly Turn[]
  /** How many a turn's claim really got. Fewer than its slots: nothing more is due there for now. */
  claimed(turn: Turn, count: number): void
  /** A send is over. Answers whether the endpoint became or stayed a suspect: it is off the agenda until added again. */
  settled(endpoint: Endpoint, success: boolean): 'good' | 'suspect'
}

type Standing = {
  readonly endpoint: Endpoint
  window: number
  inFlight: number
  suspect: boolean
  /** Something may be due. */
  due: boolean
}

type Tenant = {
  inFlight: number
  readonly good: Map<string, Standing>
  readonly suspects: Map<string, Standing>
}

/** An endpoint that we know nothing of starts here. */
const windowAtFirst = 4

/** Beyond this many of one merchant that wait for a turn, newcomers are left for discovery to find again later. */
const waitingMax = 5_000

/** Beyond this many, the standing of endpoints that have nothing to do is forgotten. */
const standingsMax = 20_000

export function createAgenda(caps: Caps): Agenda {
  const floor = createFloor(caps)

  /** Takes turns from one queue of a merchant until its room, or `limit`, is used up. */
  function takeFrom(tenant: Tenant, queue: Map<string, Standing>, limit: number, turns: Turn[]): number {
    let taken = 0
    // A standing that is put back at the end while we walk was cut short for want of room, so the walk ends there.
    for (const standing of queue.values()) {
      const room = Math.min(limit - taken, floor.roomFor(standing, tenant))
      if (room <= 0) break
      const slots = Math.min(room, standing.window - standing.inFlight)
      floor.move(standing, slots)
      floor.place(standing)
      turns.push({ endpoint: standing.endpoint, slots })
      taken += slots
    }
    return taken
  }

  return {
    add(endpoint) {
      if (floor.waitingOf(endpoint.merchantId) >= waitingMax) return
      const standing = floor.standingOf(endpoint)
      if (standing.due) return
      standing.due = true
      floor.place(standing)
    },
    take(limit) {
      const turns: Turn[] = []
      let room = limit
      let left = floor.tenants.size
      for (const [merchantId, tenant] of floor.tenants) {
        if (room <= 0 || left === 0) break
        left -= 1
        room -= takeFrom(tenant, tenant.good, room, turns)
        room -= takeFrom(tenant, tenant.suspects, room, turns)
        floor.tenants.delete(merchantId)
        floor.tenants.set(merchantId, tenant)
      }
      return turns
    },
    claimed({ endpoint, slots }, count) {
      const standing = floor.standingOf(endpoint)
      floor.move(standing, count - slots)
      if (count < slots) standing.due = false
      floor.place(standing)
    },
    settled(endpoint, success) {
      const standing = floor.standingOf(endpoint)
      floor.move(standing, -1)
      const window = success ? standing.window + 1 : standing.window >> 1
      standing.window = Math.max(1, Math.min(caps.endpoint, window))
      floor.judge(standing, !success && standing.window === 1)
      if (standing.suspect) standing.due = false
      floor.place(standing)
      return standing.suspect ? 'suspect' : 'good'
    },
  }
}

/** The standings, the queues they wait in, and the room that is taken. */
function createFloor(caps: Caps) {
  // No LRU library: only an endpoint that is idle may be dropped, and the queues hold the others by reference.
  const standings = new Map<string, Standing>()
  /** Merchants with something in flight or an endpoint that could take a turn, the next one first. */
  const tenants = new Map<MerchantId, Tenant>()
  let inFlight = 0
  let suspectsInFlight = 0

  function tenantOf({ merchantId }: Endpoint): Tenant {
    const tenant = tenants.get(merchantId) ?? { inFlight: 0, good: new Map(), suspects: new Map() }
    tenants.set(merchantId, tenant)
    return tenant
  }

  return {
    tenants,
    standingOf(endpoint: Endpoint): Standing {
      const window = Math.min(windowAtFirst, caps.endpoint)
      const made = { endpoint, window, inFlight: 0, suspect: false, due: false }
      const standing = standings.get(keyOf(endpoint)) ?? made
      standings.set(keyOf(endpoint), standing)
      return standing
    },
    waitingOf(merchantId: MerchantId): number {
      const tenant = tenants.get(merchantId)
      return tenant === undefined ? 0 : tenant.good.size + tenant.suspects.size
    },
    /** How many more sends the caps allow, the endpoint's own window apart. */
    roomFor(standing: Standing, tenant: Tenant): number {
      const room = Math.min(caps.total - inFlight, caps.merchant - tenant.inFlight)
      return standing.suspect ? Math.min(room, caps.suspects - suspectsInFlight) : room
    },
    move(standing: Standing, by: number): void {
      standing.inFlight += by
      tenantOf(standing.endpoint).inFlight += by
      inFlight += by
      if (standing.suspect) suspectsInFlight += by
    },
    judge(standing: Standing, suspect: boolean): void {
      if (standing.suspect !== suspect) suspectsInFlight += suspect ? standing.inFlight : -standing.inFlight
      standing.suspect = suspect
    },
    /** Puts the endpoint at the end of its merchant's queue when it can take a turn, else off it, and forgets the idle. */
    place(standing: Standing): void {
      const key = keyOf(standing.endpoint)
      const tenant = tenantOf(standing.endpoint)
      tenant.good.delete(key)
      tenant.suspects.delete(key)
      if (standing.due && hasRoom(standing))
        (standing.suspect ? tenant.suspects : tenant.good).set(key, standing)
      if (!standing.due && standing.inFlight === 0 && standings.size > standingsMax) standings.delete(key)
      if (tenant.inFlight === 0 && tenant.good.size === 0 && tenant.suspects.size === 0) {
        tenants.delete(standing.endpoint.merchantId)
      }
    },
  }
}

/** Claims of one delivery each would cost as much as claims of many: a wide window waits until a quarter of it is free. */
function hasRoom({ window, inFlight }: Standing): boolean {
  return window - inFlight >= Math.max(1, window >> 2)
}

function keyOf({ merchantId, origin }: Endpoint): string {
  return `${merchantId} ${origin}`
}
