// Keys make, change, roll and revoke keys at random while time passes, and a model predicts the results: no key gets a right that its
// maker lacked, no lineage of keys changes from one person to another, and an expired or revoked key never works.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { given } from '#/kernel/given.ts'
import { silentLog } from '#/kernel/log.ts'
import { hourMs } from '#/kernel/time.ts'
import type { Scope } from '#/merchants/api-key.ts'
import { createAuthenticator, type Authenticator } from '#/merchants/authenticator.ts'
import { fc } from '../chance.ts'
import { assertDocumented } from '../contract/document.ts'
import { openApiWorld, type Answer, type Api, type ApiWorld, type Tenant } from '../contract/world.ts'
import { count } from '../counts.ts'

const pool = ['keys:write', 'wallets:read', 'withdrawals:write', 'withdrawals:approve'] as const
const networks = ['198.18.0.0/16', '198.18.0.0/17', '10.0.0.0/8'] as const
type Network = (typeof networks)[number]

/** Whether the first network contains the second: written down, not computed. */
const isInside = (outer: Network, inner: Network) =>
  outer === inner || (outer === '198.18.0.0/16' && inner === '198.18.0.0/17')

type Key = {
  readonly id: string
  readonly secret: string
  readonly root: Key | undefined
  readonly maker: Key | undefined
  /** What it had when it was made. */
  readonly first: readonly Scope[]
  scopes: readonly Scope[]
  /** Milliseconds since 1970, or infinity. */
  ends: number
  cidrs: readonly Network[] | undefined
  isRevoked: boolean
}

const scopesOf = fc.uniqueArray(fc.constantFrom(...pool), { minLength: 1 })
// Most keys may make keys, so that chains become long.
const rich = fc.oneof(
  { weight: 2, arbitrary: scopesOf.map((some) => [...new Set([...some, pool[0]])]) },
  scopesOf,
)
const cidrs = fc.option(fc.uniqueArray(fc.constantFrom(...networks), { minLength: 1 }), { nil: undefined })
const hours = fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined })
const who = fc.nat({ max: 30 })
const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('make' as const), by: who, scopes: rich, hours, cidrs }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('roll' as const),
      by: who,
      of: who,
      overlap: fc.integer({ min: 0, max: 60 }),
      hours,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      by: who,
      of: who,
      scopes: fc.option(rich, { nil: undefined }),
      cidrs,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke' as const), by: who, of: who }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('pass' as const), hours: fc.integer({ min: 1, max: 60 }) }),
  },
)
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never

let world: ApiWorld
let api: Api
let authenticator: Authenticator
before(async () => {
  world = await openApiWorld()
  // Every entry in memory is too old at once, so each request reads the database: what the next one sees is certain.
  let elapsed = 0
  authenticator = createAuthenticator({
    sql: world.sql,
    pepper: world.pepper,
    log: silentLog,
    elapsedMs: () => (elapsed += 10_000),
  })
  api = await world.openApi({ authenticator, trustProxy: ['127.0.0.1'] })
})
after(async () => {
  await authenticator.close()
  await world.close()
})

const isLive = ({ isRevoked, ends }: Key) => !isRevoked && ends > Date.now()
const isHere = ({ cidrs: list }: Key) =>
  list === undefined || list.some((each) => isInside(each, '198.18.0.0/17'))
const mayManage = (key: Key) => isLive(key) && isHere(key) && key.scopes.includes('keys:write')
const covers = (own: readonly Scope[], wanted: readonly Scope[]) =>
  wanted.every((scope) => own.includes(scope))
const coversList = ({ cidrs: own }: Key, wanted: readonly Network[] | undefined) =>
  own === undefined ||
  (wanted !== undefined && wanted.every((inner) => own.some((outer) => isInside(outer, inner))))
const rootOf = (key: Key) => key.root ?? key

let requests = 0

/** Each request comes from another address of 198.18.0.0/17: who sends many wrong keys from one address has to wait. */
function call(key: string, method: string, path: string, body?: unknown): Promise<Answer> {
  requests += 1
  const address = `198.18.${(requests >> 8) & 127}.${requests & 255}`
  return api.ask(method, path, {
    key,
    headers: { 'x-forwarded-for': address },
    ...given({ body }),
  })
}

async function ask(by: Key, method: string, path: string, id: string, body?: unknown): Promise<Answer> {
  const answer = await call(by.secret, method, path.replace('{id}', id), body)
  assertDocumented(method, path, answer)
  return answer
}

/** One instant for all: two ends after as many hours are equal. */
const base = Date.now()
const inHours = (wanted: number) => base + wanted * hourMs
const expiresAt = (wanted: number | undefined) =>
  wanted === undefined ? {} : { expiresAt: new Date(inHours(wanted)).toISOString() }

function add(
  keys: Key[],
  { body }: Answer,
  maker: Key,
  rights: Pick<Key, 'scopes' | 'ends' | 'cidrs'>,
): void {
  const { scopes } = rights
  keys.push({
    ...rights,
    id: String(body['id']),
    secret: String(body['key']),
    root: rootOf(maker),
    maker,
    first: scopes,
    isRevoked: false,
  })
}

const runs: {
  readonly [Name in Exclude<Command['do'], 'pass'>]: (
    keys: Key[],
    by: Key,
    command: Extract<Command, { do: Name }>,
  ) => Promise<boolean>
} = {
  async make(keys, by, { scopes, hours: wanted, cidrs: list }) {
    const [ends, cidrList] = [wanted === undefined ? by.ends : inHours(wanted), list ?? by.cidrs]
    const answer = await ask(by, 'POST', '/v1/keys', '', {
      name: 'x',
      scopes,
      ...expiresAt(wanted),
      ...given({ allowedCidrs: list }),
    })
    const isAllowed =
      mayManage(by) && covers(by.scopes, scopes) && ends <= by.ends && coversList(by, cidrList)
    assert.equal(answer.status === 201, isAllowed, answer.text)
    if (isAllowed) add(keys, answer, by, { scopes, ends, cidrs: cidrList })
    return isAllowed
  },
  async roll(keys, by, { of, overlap, hours: wanted }) {
    const old = keys[of % keys.length] ?? assert.fail()
    const ends = wanted === undefined ? old.ends : inHours(wanted)
    const earliest = Date.now() + overlap * hourMs
    const answer = await ask(by, 'POST', '/v1/keys/{id}/roll', old.id, {
      overlapHours: overlap,
      ...expiresAt(wanted),
    })
    const isAllowed =
      mayManage(by) &&
      isLive(old) &&
      rootOf(by) === rootOf(old) &&
      covers(by.scopes, old.scopes) &&
      ends <= by.ends &&
      coversList(by, old.cidrs)
    assert.equal(answer.status === 201, isAllowed, answer.text)
    if (!isAllowed) return false
    add(keys, answer, by, { scopes: old.scopes, ends, cidrs: old.cidrs })
    const [row] = await world.sql<
      { endsAt: Date }[]
    >`select expires_at as "endsAt" from api_key where id = ${old.id}`
    const endsAt = row?.endsAt.getTime() ?? assert.fail()
    const latest = Date.now() + overlap * hourMs
    assert.ok(
      endsAt >= Math.min(old.ends, earliest) && endsAt <= Math.min(old.ends, latest),
      'the overlap is as long as it was asked for',
    )
    old.ends = endsAt
    return true
  },
  async change(keys, by, { of, scopes, cidrs: list }) {
    const old = keys[of % keys.length] ?? assert.fail()
    const answer = await ask(by, 'PATCH', '/v1/keys/{id}', old.id, {
      ...given({ scopes, allowedCidrs: list }),
    })
    const isAllowed =
      mayManage(by) &&
      isLive(old) &&
      covers(by.scopes, old.scopes) &&
      covers(old.scopes, scopes ?? []) &&
      (list === undefined || coversList(by, list))
    assert.equal(answer.status === 200, isAllowed, answer.text)
    if (!isAllowed) return false
    old.scopes = scopes ?? old.scopes
    old.cidrs = list ?? old.cidrs
    return true
  },
  async revoke(keys, by, { of }) {
    const old = keys[of % keys.length] ?? assert.fail()
    const isAllowed = mayManage(by)
    const answer = await ask(by, 'POST', '/v1/keys/{id}/revoke', old.id)
    assert.equal(answer.status === 200, isAllowed, answer.text)
    if (isAllowed) old.isRevoked = true
    return isAllowed
  },
}

/** All expiries come nearer, as if this time had passed. */
async function pass({ id }: Tenant, keys: readonly Key[], passed: number): Promise<void> {
  await world.sql`
    update api_key set expires_at = expires_at - ${passed}::integer * interval '1 hour' where merchant_id = ${id}`
  for (const key of keys) key.ends -= passed * hourMs
}

async function hold(keys: readonly Key[]): Promise<void> {
  for (const key of keys) {
    const answer = await call(key.secret, 'GET', '/v1/me')
    const expected = !isLive(key) ? 401 : isHere(key) ? 200 : 403
    assert.equal(answer.status, expected, `${key.id} ${answer.text}`)
    if (expected === 200) {
      const shown = answer.body['key'] as { readonly scopes: readonly Scope[]; readonly lineage: string }
      assert.deepEqual(new Set(shown.scopes), new Set(key.scopes))
      assert.equal(shown.lineage, rootOf(key).id)
    }
    for (let maker = key.maker; maker !== undefined; maker = maker.maker)
      assert.ok(covers(maker.first, key.scopes), `${key.id} has what its maker ${maker.id} never had`)
  }
}

/** A key that ends in ten hours is rolled with an overlap of sixty: the old one works no longer than it had. */
const endingRoll: Command[] = [
  { do: 'make', by: 0, scopes: [...pool], hours: 10, cidrs: undefined },
  { do: 'roll', by: 0, of: 2, overlap: 60, hours: undefined },
  { do: 'pass', hours: 11 },
]

/** A key for one network grants neither a wider one nor another, nor all, to a key that it makes or changes. */
const widening: Command[] = [
  { do: 'make', by: 0, scopes: [...pool], hours: undefined, cidrs: ['198.18.0.0/17'] },
  { do: 'make', by: 2, scopes: ['keys:write'], hours: undefined, cidrs: ['198.18.0.0/16'] },
  { do: 'make', by: 2, scopes: ['keys:write'], hours: undefined, cidrs: ['198.18.0.0/17', '10.0.0.0/8'] },
  { do: 'make', by: 2, scopes: ['keys:write'], hours: undefined, cidrs: undefined },
  { do: 'change', by: 2, of: 3, scopes: undefined, cidrs: ['10.0.0.0/8'] },
]

/** Each act, by a key that may do it. */
const allowed: Command[] = [
  { do: 'make', by: 0, scopes: [...pool], hours: undefined, cidrs: undefined },
  { do: 'change', by: 0, of: 2, scopes: ['keys:write', 'wallets:read'], cidrs: ['198.18.0.0/16'] },
  { do: 'roll', by: 0, of: 2, overlap: 1, hours: undefined },
  { do: 'revoke', by: 0, of: 3 },
]

/** A merchant with two keys that have these scopes, and what became of each command: undefined where time passed. */
async function live(given: readonly (readonly Scope[])[], commands: readonly Command[]) {
  const tenant = await world.openTenant()
  const keys: Key[] = []
  for (const scopes of given) {
    const { id, key: secret } = await world.issue(tenant.id, scopes)
    const rights = { first: scopes, scopes, ends: Infinity, cidrs: undefined }
    keys.push({ id, secret, root: undefined, maker: undefined, ...rights, isRevoked: false })
  }
  const done: (boolean | undefined)[] = []
  for (const each of commands) {
    if (each.do === 'pass') {
      await pass(tenant, keys, each.hours)
      done.push(undefined)
      continue
    }
    const by = keys[each.by % keys.length] ?? assert.fail()
    const run = runs[each.do] as (keys: Key[], by: Key, command: Command) => Promise<boolean>
    done.push(await run(keys, by, each))
  }
  await hold(keys)
  return done
}

test('who may make, change, roll and revoke keys does', async () => {
  assert.deepEqual(await live([pool, pool], allowed), [true, true, true, true])
})

test('nobody gets a right that its makers lacked, and a key that is over never works', async () => {
  const history = fc.asyncProperty(
    fc.tuple(rich, rich),
    fc.array(command, { minLength: 10, maxLength: 30 }),
    async (given, commands) => void (await live(given, commands)),
  )
  await fc.assert(history, {
    numRuns: count({ quick: 12, soak: 200 }),
    endOnFailure: true,
    examples: [endingRoll, widening].map((commands) => [[[...pool], [...pool]], commands]),
  })
})
