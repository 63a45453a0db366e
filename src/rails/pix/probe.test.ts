// The calls of a connection test at a bank, checked against the forms that API Pix 2.9.0 defines for their paths.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { silentLog } from '#/kernel/log.ts'
import { addMs, secondMs, systemClock, testClock } from '#/kernel/time.ts'
import { pemSecrets, startTestPsp } from '../../../test/rails/pix/psp.ts'
import { connectionOf } from '../../../test/rails/pix/rail.ts'
import type { Reply } from '../../../test/rails/provider.ts'
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

/** What the test of a connection says at a PSP that answers so: to the list of a minute, and to the read of a refund. */
async function said(
  t: TestContext,
  {
    list = { status: 200, body: paged },
    refund = { status: 404 },
    at = systemClock.now(),
  }: {
    readonly list?: Reply
    readonly refund?: Reply
    readonly at?: Date
  },
) {
  const psp = await startTestPsp(({ path }) =>
    path.startsWith('/pix?') ? list : path.startsWith('/pix/') ? refund : undefined,
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
  const probes = await probePix({ clock: testClock(at), log: silentLog }, connectionOf(settings, pemSecrets))
  return Object.fromEntries(probes.map(({ what, ...probe }) => [what.replace(/: token.*/, ''), probe]))
}

test('how many Pix came in the last minute is said', async (t) => {
  const pix = { endToEndId: 'E1', valor: '12.00', horario: '2026-01-02T03:04:05Z' }
  for (const [list, text] of [
    [[], 'works, nothing came in the last minute'],
    [[pix], 'works, 1 in the last minute'],
    [[pix, { ...pix, endToEndId: 'E2' }], 'works, 2 in the last minute'],
  ] as const) {
    const { collection } = await said(t, { list: { status: 200, body: { ...paged, pix: list } } })
    assert.deepEqual([collection?.ok, collection?.said], [true, text])
  }
})

test('a refusal of the refund shows that its credentials may ask; anything else does not', async (t) => {
  for (const [status, ok] of [
    [400, true],
    [404, true],
    [403, false],
    [500, false],
  ] as const)
    assert.equal((await said(t, { refund: { status } }))['refunds']?.ok, ok, String(status))
})

test('a certificate is said to be valid until its end, and to have ended from that second on', async (t) => {
  const end = new X509Certificate(pemSecrets.certificate).validToDate
  const day = end.toISOString().slice(0, 'YYYY-MM-DD'.length)
  for (const [at, ok, text] of [
    [addMs(end, -secondMs), true, `valid until ${day}`],
    [end, false, `ended on ${day}`],
  ] as const) {
    const probes = await said(t, { at })
    for (const what of ['collection: certificate', 'refunds: certificate'])
      assert.deepEqual([probes[what]?.ok, probes[what]?.said], [ok, text])
  }
})
