// At a PSP with scripted answers: what the rail tells in the log, and how much of a text it sends.
import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { pino } from 'pino'
import { must } from '#/kernel/check.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { systemClock } from '#/kernel/time.ts'
import type { Opening } from '#/rails/rail.ts'
import type { PspCall } from '../../../test/rails/pix/psp.ts'
import { cobOf, open, opening, railAtPsp, read } from '../../../test/rails/pix/rail.ts'
import type { Reply } from '../../../test/rails/provider.ts'
import { errorOf } from '../../../test/rails/rail.ts'

type Line = { readonly level: number; readonly msg: string } & Readonly<Record<string, unknown>>
const [info, warning, alarm] = [30, 40, 50]

/** A rail at such a PSP, and what it told. */
async function listened(t: TestContext, reply: (call: PspCall) => Reply | undefined) {
  const lines: Line[] = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line) as Line) })
  const { rail, id, calls } = await railAtPsp(t, reply, { log })
  const told = () => lines.splice(0).map(({ level, msg }) => [level, msg])
  return { rail, id, calls, told, lines }
}

const txid = 'a'.repeat(32)
const pix = { endToEndId: 'E1', txid, valor: '12.00', horario: '2026-01-02T03:04:05Z' }
const unreadable = { ...pix, endToEndId: 'E2', valor: 'x' }
const withReturn = { ...pix, devolucoes: [{ id: 'D1', valor: 'x' }] }
const cob = (list: readonly unknown[]) => ({ valor: { original: '12.00' }, pix: list })
const ok = (body: unknown): Reply => ({ status: 200, body })

describe('money that cannot be read', () => {
  const message = 'a PSP reports money that cannot be read'

  /** What a callback about the Pix and the charge brings: its receipts, and the alarms. */
  async function heard(t: TestContext, answers: { readonly pix?: unknown; readonly cob?: unknown }) {
    const { rail, id, told } = await listened(t, ({ path }) => {
      const body = path.startsWith('/pix/') ? answers.pix : answers.cob
      return body === undefined ? undefined : ok(body)
    })
    const receipts = await read(rail, id, { pix: [{ endToEndId: 'E1', txid }] })
    return [receipts.length, told()]
  }

  test('is an alarm when a callback brings it, beside what can be read', async (t) => {
    const cases: readonly (readonly [
      answers: Parameters<typeof heard>[1],
      receipts: number,
      alarms: number,
    ])[] = [
      [{ pix }, 1, 0],
      [{ pix: withReturn }, 1, 1],
      [{ cob: cob([pix]) }, 1, 0],
      [{ cob: cob([unreadable]) }, 0, 1],
      [{ cob: cob([pix, unreadable]) }, 1, 1],
      [{ cob: cob([withReturn]) }, 1, 1],
    ]
    for (const [answers, receipts, alarms] of cases)
      assert.deepEqual(
        await heard(t, answers),
        [receipts, Array.from({ length: alarms }, () => [alarm, message])],
        JSON.stringify(answers),
      )
  })

  test('is an alarm when the list of a span has it', async (t) => {
    const page = { parametros: { paginacao: { quantidadeDePaginas: 1 } }, pix: [pix, unreadable, withReturn] }
    const { rail, id, told, lines } = await listened(t, () => ok(page))
    const span = { from: new Date(0), to: systemClock.now() }
    let found = 0
    for await (const receipts of must(rail.list, 'it lists')(id, span)) found += receipts.length
    assert.equal(found, 2)
    assert.ok(lines.every(({ connection }) => connection === id))
    assert.deepEqual(told(), [
      [alarm, message],
      [alarm, message],
    ])
  })
})

describe('a callback', () => {
  test('without hints is told of, and so are more hints than a hundred', async (t) => {
    const { rail, id, told } = await listened(t, () => ({ status: 404 }))
    const hints = (count: number) =>
      Array.from({ length: count }, (_, number) => ({ endToEndId: `E${number}` }))
    await read(rail, id, 'a test of the URL')
    assert.deepEqual(told(), [[info, 'a PIX callback without hints']])
    await read(rail, id, { pix: hints(100) })
    assert.deepEqual(told(), [])
    await read(rail, id, { pix: hints(101) })
    assert.deepEqual(told(), [[warning, 'a PIX callback with too many hints']])
  })

  test('has its address registered for the key of the connection', async (t) => {
    const { rail, id, calls } = await listened(t, () => ({ status: 200 }))
    await rail.callbacks.register(id, 'https://pay.example.com/cb')
    assert.deepEqual(
      calls().map(({ method, path, body }) => [method, path, body]),
      [['PUT', '/webhook/k', '{"webhookUrl":"https://pay.example.com/cb"}']],
    )
  })
})

describe('a charge', () => {
  const attempt = (more: Partial<Opening> = {}) => opening('' as ConnectionId, 12_00n, more)

  /** The body of the charge that an opening places. */
  async function placed(t: TestContext, more: Partial<Opening>) {
    const what = attempt(more)
    const { rail, id, calls } = await listened(t, () => cobOf(what))
    assert.ok((await open(rail, { ...what, connection: id })).ok)
    return JSON.parse(calls()[0]?.body ?? '') as {
      readonly devedor?: { readonly nome: string }
      readonly solicitacaoPagador?: string
    }
  }

  test('names at most 200 characters of the payer and 140 of the description', async (t) => {
    const long = { customerTaxId: '52998224725', customerName: 'n'.repeat(201), description: 'd'.repeat(141) }
    const { devedor, solicitacaoPagador } = await placed(t, long)
    assert.deepEqual([devedor?.nome.length, solicitacaoPagador?.length], [200, 140])
    const blank = await placed(t, { customerTaxId: '52998224725', customerName: ' ', description: ' ' })
    assert.deepEqual([blank.devedor, blank.solicitacaoPagador], [undefined, undefined])
    assert.equal((await placed(t, { customerName: 'Ana' })).devedor, undefined)
  })

  test('that is refused for the payer says so, and any other refusal is the provider’s', async (t) => {
    const cases = [
      ['cob.devedor.cpf', 'payer_refused'],
      ['cob.devedora', 'refused_by_provider'],
      ['cob.valor', 'refused_by_provider'],
    ] as const
    for (const [propriedade, code] of cases) {
      const { rail, id } = await listened(t, ({ method }) =>
        method === 'PUT' ? { status: 400, body: { violacoes: [{ propriedade }] } } : { status: 404 },
      )
      const opened = await open(rail, { ...attempt(), connection: id })
      assert.equal(!opened.ok && opened.code, code, propriedade)
    }
  })

  test('is not read at a PSP that is away: nothing was done there', async (t) => {
    const { rail, id, calls } = await listened(t, () => ({ status: 503 }))
    assert.equal((await errorOf(open(rail, { ...attempt(), connection: id }))).outcome, 'unavailable')
    assert.equal(calls().length, 1)
  })

  test('whose code cannot be used is told of', async (t) => {
    const valid =
      '00020101021226450014br.gov.bcb.pix2523pix.example.com/qr/v2/15204000053039865802BR5904Loja6009Sao Paulo62070503***6304'
    const what = attempt()
    const codeOf = async (pixCopiaECola: unknown) => {
      const { rail, id, told } = await listened(t, () => cobOf(what, { pixCopiaECola }))
      const opened = await open(rail, { ...what, connection: id })
      return [opened.ok && String(opened.artifacts['copyPaste']).startsWith(valid), told().length]
    }
    assert.deepEqual(await codeOf(undefined), [true, 0])
    assert.deepEqual(await codeOf('broken'), [true, 1])
  })
})
