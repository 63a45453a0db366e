// The calls of a connection test at a bank, checked against the forms that API Pix 2.9.0 defines for their paths.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { pemSecrets, startTestPsp } from '../../../test/rails/pix/psp.ts'
import { connectionOf } from '../../../test/rails/pix/rail.ts'
import { probePix } from './probe.ts'

const paged = { parametros: { paginacao: { quantidadeDePaginas: 1 } }, pix: [] }

test('a connection is tested with well-formed ids, and nothing is changed', async (t) => {
  const psp = await startTestPsp(({ path }) =>
    path.startsWith('/pix?') ? { status: 200, body: paged } : undefined,
  )
  t.after(() => psp.stop())
  const settings = {
    baseUrl: psp.url,
    tokenUrl: `${psp.url}/oauth/token`,
    ca: psp.ca,
    pixKey: 'ana@example.com',
    receiverName: 'Ana',
    receiverCity: 'Recife',
  }
  const probes = await probePix({ clock: systemClock, log: silentLog }, connectionOf(settings, pemSecrets))
  assert.deepEqual(
    probes.filter(({ ok }) => !ok),
    [],
    JSON.stringify(probes),
  )
  const calls = psp.calls.filter(({ path }) => path !== '/oauth/token')
  assert.deepEqual([...new Set(calls.map(({ method }) => method))], ['GET'])
  const shapes = [
    /^\/pix\?inicio=/,
    /^\/webhook\/[^/]{1,77}$/,
    // EndToEndId: 32; DevolucaoId: 1 to 35.
    /^\/pix\/E\d{8}\d{12}[a-zA-Z0-9]{11}\/devolucao\/[a-zA-Z0-9]{1,35}$/,
  ]
  for (const shape of shapes)
    assert.ok(
      calls.some(({ path }) => shape.test(path)),
      `${String(shape)} among ${calls.map(({ path }) => path).join(' ')}`,
    )
  assert.equal(calls.length, shapes.length)
})
