// Drafts of templates: one for each template, shared by a merchant's people. Nobody overwrites what they have not seen.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { given } from '#/kernel/given.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { deleteExpired } from '#/people/sessions.ts'
import { draftsMax } from '#/templates/draft.ts'
import { shownBy } from './shown.ts'
import { openDashboardWorld, type DashboardWorld, type Person } from './world.ts'

type Row = Readonly<Record<string, unknown>>

let world: DashboardWorld
let merchantId: MerchantId
let ana: Person
let bia: Person
before(async () => {
  world = await openDashboardWorld({ shows: shownBy['template-drafts.test.ts'] })
  ;({ id: merchantId } = await world.base.openTenant())
  ana = await world.person([{ merchantId, role: 'DEVELOPER' }])
  bia = await world.person([{ merchantId, role: 'ADMIN' }])
})
after(() => world.close())

const below = (path: string) => `/api/m/${merchantId}/templates/${path}`
const valid = { name: 'Ours' }

async function save(person: Person, slug: string, seen?: string, document: Row = valid, version = newId()) {
  const body = { version, base: 0, document, ...given({ seen }) }
  return { version, ...(await person.ask('PUT', below(`${slug}/draft`), body)) }
}

async function draftOf(person: Person, slug: string): Promise<Row | undefined> {
  const { status, body, text } = await person.ask('GET', below(`${slug}/draft`))
  assert.equal(status, 200, text)
  return body['draft'] as Row | undefined
}

test('another member sees the draft, also of an invalid template, which no payer gets', async () => {
  const broken = { brand: { radius: 'wide' } }
  const made = await save(ana, 'seen', undefined, broken)
  assert.equal(made.status, 200, made.text)
  const found = await draftOf(bia, 'seen')
  assert.deepEqual([found?.['document'], found?.['base'], found?.['version']], [broken, 0, made.version])
  assert.equal(typeof found?.['author'], 'string')
  const { body } = await bia.ask('GET', `/api/m/${merchantId}/templates`)
  assert.deepEqual(
    (body['drafts'] as readonly Row[]).map(({ slug }) => slug),
    ['seen'],
  )
  assert.ok(!(body['data'] as readonly Row[]).some(({ slug }) => slug === 'seen'))
  assert.equal((await ana.ask('GET', below('seen'))).status, 404)
})

test('a draft that was saved, published or discarded since is not overwritten; a repeated save is one', async () => {
  const first = await save(ana, 'both')
  const repeated = await save(ana, 'both', undefined, valid, first.version)
  assert.deepEqual([repeated.status, repeated.body], [200, first.body])
  const blind = await save(bia, 'both')
  assert.deepEqual([blind.status, blind.body['code']], [409, 'invalid_state'])
  const theirs = await save(bia, 'both', first.version, { name: 'Bia' })
  assert.equal(theirs.status, 200)
  assert.equal((await save(ana, 'both', first.version)).status, 409)
  assert.deepEqual((await draftOf(ana, 'both'))?.['document'], { name: 'Bia' })
  const old = await ana.ask('DELETE', below(`both/draft?version=${first.version}`))
  assert.equal(old.status, 409)
  assert.equal((await ana.ask('DELETE', below(`both/draft?version=${theirs.version}`))).status, 204)
  assert.equal(await draftOf(bia, 'both'), undefined)
  assert.equal((await save(bia, 'both', theirs.version)).status, 409)
})

test('of two first saves at once one is kept', async () => {
  const both = await Promise.all([save(ana, 'race'), save(bia, 'race')])
  assert.deepEqual(
    both.map(({ status }) => status).toSorted((one, other) => one - other),
    [200, 409],
  )
})

test('publishing takes the draft in its transaction, and says who published', async () => {
  const { version } = await save(ana, 'shop')
  const publish = (query: string, document: Row = valid) => ana.ask('PUT', below(`shop?${query}`), document)
  assert.equal((await publish(`draft=${newId()}`)).status, 409)
  assert.equal((await ana.ask('GET', below('shop'))).status, 404)
  assert.equal((await publish(`draft=${version}&revision=3`)).status, 409)
  assert.equal((await publish(`draft=${version}`, { brand: 1 })).status, 400)
  assert.equal((await draftOf(ana, 'shop'))?.['version'], version)
  const done = await publish(`draft=${version}&revision=0`)
  assert.equal(done.status, 200, done.text)
  const { body } = await bia.ask('GET', below('shop/draft'))
  const published = body['published'] as Row
  assert.equal(body['draft'], undefined)
  const { body: session } = await ana.ask('GET', '/api/session')
  const me = session['user'] as Row
  assert.deepEqual(
    [published['revision'], published['by']],
    [1, me['name'] === '' ? me['email'] : me['name']],
  )
  const { body: log } = await ana.ask('GET', `/api/m/${merchantId}/templates/shop/revisions`)
  assert.equal((log['data'] as readonly Row[]).length, 1)
})

test('what is too large, too many, unclean or not allowed is refused', async () => {
  assert.equal((await save(ana, 'big', undefined, { name: 'x'.repeat(262_200) })).status, 413)
  const unclean = await save(ana, 'big', undefined, { name: 'a\0b' })
  assert.equal(unclean.status, 400, unclean.text)
  assert.equal((await save(ana, 'Not_A_Name')).status, 404)
  const viewer = await world.person([{ merchantId, role: 'VIEWER' }])
  assert.equal((await save(viewer, 'big')).status, 403)
  assert.equal(await draftOf(viewer, 'big'), undefined)
  const other = await world.base.openTenant()
  assert.equal((await ana.ask('GET', `/api/m/${other.id}/templates/seen/draft`)).status, 404)
  const { body } = await ana.ask('GET', `/api/m/${merchantId}/templates`)
  const free = draftsMax - (body['drafts'] as readonly Row[]).length
  for (let nth = 0; nth < free; nth += 1) assert.equal((await save(ana, `many-${nth}`)).status, 200)
  const above = await save(ana, 'above')
  const { code, reason } = above.body
  assert.deepEqual([above.status, code, reason], [422, 'limit_exceeded', 'too_many_drafts'])
  const { version } = (await draftOf(ana, 'many-0')) ?? {}
  assert.equal((await save(ana, 'many-0', String(version))).status, 200)
})

test('a draft that nobody saved for 90 days is not shown, and is deleted', async () => {
  const { sql } = world.base
  const { version } = (await draftOf(ana, 'seen')) ?? {}
  const [{ days } = { days: 0 }] = await sql<{ days: number }[]>`
    select extract(day from ends_at - saved_at)::integer as days from template_draft where version = ${String(version)}`
  assert.equal(days, 90)
  await sql`update template_draft set ends_at = now() - interval '1 second' where version = ${String(version)}`
  assert.equal(await draftOf(ana, 'seen'), undefined)
  await deleteExpired({ sql })
  assert.equal((await sql`select from template_draft where version = ${String(version)}`).length, 0)
})
