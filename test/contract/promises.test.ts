// Compares openapi.json with the server: the server refuses no request for its shape that openapi.json permits, and refuses what it does
// not permit. Each operation is called with values that fit and with values that nearly fit.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { routes } from '#/http/routes.ts'
import { newId } from '#/kernel/id.ts'
import { fc } from '../chance.ts'
import { count } from '../counts.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { fitting, searchOf, waysThrough, type Json } from './arbitrary.ts'
import { assertDocumented, at, document, fits } from './document.ts'
import { openApiWorld, type Answer } from './world.ts'

const world = openForTests(openApiWorld)
const api = makeForTests(() => world.openApi())
const tenant = makeForTests(() => world.openTenant())

const numRuns = count({ quick: 12, soak: 3_000 })

/** What no schema can say: check digits, sizes in bytes, sums, what a cursor names, which of two instants is the later one. */
const beyondShape: readonly (readonly [string, string])[] = [
  ['/customerTaxId', 'malformed'],
  ['/customerPhone', 'malformed'],
  ['/customerCountry', 'malformed'],
  ['/customerAddress/country', 'malformed'],
  ['/country', 'malformed'],
  ['/taxId', 'malformed'],
  ['/legalName', 'malformed'],
  ['/pixKey', 'invalid'],
  ['/cryptoAddress', 'invalid'],
  ['/iban', 'invalid'],
  ['/metadata', 'too_large'],
  ['/items', 'too_large'],
  ['/items', 'differs'],
  ['/metadata', 'not_declared'],
  ['/toWalletId', 'not_allowed'],
  ['/scenario', 'not_allowed'],
  ['/types', 'not_allowed'],
  ['/cursor', 'malformed'],
  ['/cursor', 'not_allowed'],
  ['/limit', 'not_allowed'],
  ['/timeZone', 'not_allowed'],
  ['/spreadsheet', 'not_allowed'],
  ['/expiresAt', 'too_small'],
  ['/allowedCidrs', 'malformed'],
  ['/from', 'too_small'],
  ['/to', 'too_small'],
  ['/at', 'too_large'],
  ['/maxAmount', 'too_small'],
  ['/content', 'malformed'],
  ['/splits/percent', 'malformed'],
]

/**
 * The faults for which a withdrawal is refused with another status than 400. The first fault of a batch decides the status; the answer
 * lists the other faults too, and these can be among them.
 */
const otherStatus: readonly (readonly [string, string])[] = [
  ['/currency', 'not_allowed'],
  ['/type', 'not_allowed'],
  ['/cryptoNetwork', 'not_allowed'],
  ['/cryptoCurrency', 'not_allowed'],
  ['/pixKey', 'not_allowed'],
  ['/cryptoAddress', 'not_allowed'],
  ['/walletId', 'not_allowed'],
  ['/amount', 'too_large'],
  ['', 'insufficient_funds'],
]

function faultsOf(answer: Answer): readonly (readonly [string, string])[] {
  const errors = (answer.body['errors'] ?? []) as readonly {
    readonly pointer: string
    readonly code: string
  }[]
  // A fault of one withdrawal of a batch is one that a withdrawal can have.
  return errors.map(({ pointer, code }) => [
    pointer.replace(/^\/withdrawals\/\d+(?=\/|$)|(?<=^\/allowedCidrs)\/\d+$|(?<=^\/splits)\/\d+/, ''),
    code,
  ])
}

function isListed(
  list: readonly (readonly [string, string])[],
  [pointer, code]: readonly [string, string],
): boolean {
  return list.some((each) => each[0] === pointer && each[1] === code)
}

/** Fails when a request that fits was refused for its shape, or one that does not fit was not refused. */
function hold(sent: unknown, answer: Answer, isFitting: boolean, isBatch: boolean): void {
  const what = `${JSON.stringify(sent)}: ${answer.status} ${answer.text.slice(0, 600)}`
  if (!isFitting) return assert.ok(answer.status >= 400 && answer.status < 500, `is accepted: ${what}`)
  if (answer.status !== 400) return assert.ok(answer.status < 500, what)
  const faults = faultsOf(answer)
  const shape = faults.filter(
    (fault, place) =>
      !isListed(beyondShape, fault) && !(isBatch && place > 0 && isListed(otherStatus, fault)),
  )
  assert.ok(faults.length > 0 && shape.length === 0, `fits and is refused: ${what}`)
}

/** Whether it has a number that is as long as a card's, or that JavaScript would round: other tests are about those. */
function hasLongNumber(value: unknown): boolean {
  return /\d{13}/.test(JSON.stringify(value))
}

/** A schema of the document with its references resolved. */
function resolved(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(resolved)
  if (typeof schema !== 'object' || schema === null) return schema
  const ref = (schema as Json)['$ref']
  if (typeof ref === 'string') return resolved(at(document, ...ref.split('/').slice(1)))
  return Object.fromEntries(Object.entries(schema).map(([name, each]) => [name, resolved(each)]))
}

for (const { method, path, operationId, body, query } of routes) {
  const operation = at(document, 'paths', path, method.toLowerCase())
  const url = () => path.replace('{id}', newId())
  const ofBody = at(operation, 'requestBody', 'content', 'application/json', 'schema')

  if (body !== undefined) {
    test(`${operationId}: bodies are accepted exactly as documented`, async () => {
      const published = resolved(ofBody) as TSchema
      const values = fc
        .oneof(
          ...waysThrough(published).map((way) => fitting(way).filter((value) => fits(published, value))),
          fitting(published),
          fitting(body),
        )
        .filter((value) => !hasLongNumber(value))
      await fc.assert(
        fc.asyncProperty(values, async (value) => {
          const answer = await api.ask(method, url(), { key: tenant.key, body: value })
          hold(value, answer, fits(published, value), operationId === 'createWithdrawalBatch')
          assertDocumented(method, path, answer)
        }),
        { numRuns },
      )
    })
  }

  if (query !== undefined) {
    test(`${operationId}: queries are accepted exactly as documented`, async () => {
      const parameters = (at(operation, 'parameters') as readonly Json[]).filter(
        (each) => each['in'] === 'query',
      )
      const fields: Json = Object.fromEntries(
        parameters.map(({ name, schema }): [string, unknown] => [String(name), resolved(schema)]),
      )
      const published: TSchema = { type: 'object', properties: fields, additionalProperties: false }
      const values = fc.oneof(fitting(published), fitting(query)) as fc.Arbitrary<Json>
      await fc.assert(
        fc.asyncProperty(values, async (fields) => {
          const search = searchOf(fields)
          const answer = await api.ask(method, `${url()}?${search}`, { key: tenant.key })
          hold(search, answer, fits(published, fields), false)
          assertDocumented(method, path, answer)
        }),
        { numRuns },
      )
    })
  }

  test(`${operationId}: an unknown parameter is a documented 400`, async () => {
    const sent = body === undefined ? {} : { body: {} }
    const answer = await api.ask(method, `${url()}?unknown=1`, { key: tenant.key, ...sent })
    assert.equal(answer.status, 400)
    assertDocumented(method, path, answer)
  })
}
