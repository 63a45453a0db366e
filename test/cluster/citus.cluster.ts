// Cells on a Citus 12 or later that the tests are given: `VINTEM_TEST_CITUS` is the URL of a superuser at its coordinator, whose password is
// valid at its nodes too. Nothing stays there.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { connect, type Sql } from '#/db/client.ts'
import { urlAtNode } from '#/db/node-queries.ts'
import { holdsForBoth, makeCell, openCell, type Place } from '../cells-beside.ts'

test('two cells on Citus count, lock and keep what is written, through its coordinator and straight at their nodes', async () => {
  const citus = process.env['VINTEM_TEST_CITUS'] ?? assert.fail('VINTEM_TEST_CITUS names no Citus')
  await using stack = new AsyncDisposableStack()
  const run = randomBytes(4).toString('hex')
  const app = `app_${run}`
  const admin = connect(citus, { max: 1 })
  stack.defer(() => admin.end({ timeout: 1 }))
  // With the superuser's password: Citus makes the role at every node.
  const password = decodeURIComponent(new URL(citus).password).replaceAll("'", "''")
  await admin.unsafe(`create role ${app} login password '${password}'`)
  stack.defer(async () => {
    await admin.unsafe(`drop owned by ${app}`)
    await admin.unsafe(`drop role ${app}`)
  })
  const appUrl = new URL(citus)
  appUrl.username = app
  const places: Place[] = []
  for (const code of ['c1', 'c2']) {
    const schema = `${code}_${run}`
    stack.defer(() => admin`drop schema if exists ${admin(schema)} cascade`.then(() => {}))
    const distribute = (sql: Sql) => sql`select citus_schema_distribute(${schema}::regnamespace)`
    places.push(await makeCell({ ownerUrl: citus, appUrl: appUrl.href }, schema, distribute))
    const known = await admin`select from citus_schemas where schema_name = ${schema}::regnamespace`
    assert.equal(known.length, 1, `${schema} is distributed`)
  }
  const [one, two] = places as [Place, Place]
  const atNode = async ({ ownerUrl, appUrl: url }: Place): Promise<Place> => ({
    ownerUrl: await urlAtNode(ownerUrl),
    appUrl: await urlAtNode(url),
  })
  for (const [here, there] of [
    [one, two],
    [await atNode(one), await atNode(two)],
  ] as const) {
    await using first = await openCell(here, 'c1')
    await using second = await openCell(there, 'c2')
    await holdsForBoth(first, second)
  }
})
