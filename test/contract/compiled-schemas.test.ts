// Schemas are compiled when their route is first called, so a fault in one would meet a caller first: here all are compiled.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import compilerOfBodies from '@fastify/ajv-compiler'
import compilerOfAnswers from '@fastify/fast-json-stringify-compiler'
import { asideKeyword, documentedKeyword, emptyKeyword } from '#/contract/words.ts'
import { dashboardRoutes } from '#/dashboard/routes.ts'
import { lateCompilers } from '#/http/late-compilers.ts'
import { routes } from '#/http/routes.ts'

const ajv = { customOptions: { keywords: [asideKeyword, documentedKeyword, emptyKeyword] } }
const all = [...routes, ...dashboardRoutes]

test('every schema of a query, a body and an answer can be compiled', () => {
  const compile = compilerOfBodies()({}, ajv)
  const serialize = compilerOfAnswers()({}, {})
  let compiled = 0
  for (const { method, path, status, query, body, answer } of all) {
    const place = { method, url: path, httpStatus: String(status) }
    for (const schema of [query, body])
      if (schema !== undefined) assert.doesNotThrow(() => compile({ schema }), `${method} ${path}`)
    if (answer !== undefined)
      assert.doesNotThrow(() => serialize({ ...place, schema: answer }), `${method} ${path}`)
    compiled += [query, body, answer].filter((each) => each !== undefined).length
  }
  assert.ok(all.length > 200 && compiled > 300, `${compiled} schemas of ${all.length} routes`)
})

test('what is compiled late validates and writes as what is compiled at once, each time', () => {
  const schema = {
    type: 'object',
    required: ['amount'],
    properties: { amount: { type: 'integer' } },
    additionalProperties: false,
  }
  const place = { method: 'GET', url: '/', httpStatus: '200', schema }
  const late = lateCompilers.buildValidator({}, ajv)({ schema })
  const atOnce = compilerOfBodies()({}, ajv)({ schema })
  for (const body of [{ amount: 1 }, {}, { amount: '1' }, { amount: 2 }, null]) {
    assert.equal(late(body), atOnce(body))
    assert.deepEqual(late.errors, atOnce.errors)
  }
  const write = lateCompilers.buildSerializer({}, {})(place)
  const twice = [write({ amount: 3, other: 4 }), write({ amount: 5 })]
  assert.deepEqual(twice, ['{"amount":3}', '{"amount":5}'])
})
