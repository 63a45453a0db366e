import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fc } from '../../../test/chance.ts'
import {
  faultyFields,
  isObject,
  parseAmount,
  parseCharge,
  parseGrant,
  parseHints,
  parsePix,
  parsePixPage,
  parseReturn,
  readFault,
  toAmountText,
} from './wire.ts'

const bytes = (sent: unknown) => Buffer.from(typeof sent === 'string' ? sent : JSON.stringify(sent))
const pix = { endToEndId: 'E1', valor: '1.00', horario: '2026-01-02T03:04:05.678-03:00' }

test('amounts go through text and back to the centavo', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999n }), (minor) => {
      assert.match(toAmountText(minor), /^\d{1,10}\.\d{2}$/)
      assert.equal(parseAmount(toAmountText(minor)), minor)
    }),
  )
  assert.deepEqual(['0.01', '10', '10.5'].map(parseAmount), [1n, 1_000n, 1_050n])
  for (const none of [
    '',
    '1.005',
    '-1.00',
    '1,00',
    ' 1.00',
    '1e3',
    '12345678901.00',
    1,
    1.5,
    null,
    undefined,
  ]) {
    assert.equal(parseAmount(none), undefined, String(none))
  }
})

describe('a charge', () => {
  // An example from the standard's text (API Pix 2.9.0, cobResponse1), with null for absent fields as some PSPs write.
  const example = {
    calendario: { criacao: '2020-09-09T20:15:00.358Z', expiracao: 3600 },
    txid: '7978c0c97ea847e78e8849634473c1f1',
    revisao: 0,
    loc: { id: 789, location: 'pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca25', tipoCob: 'cob' },
    location: null,
    status: 'ATIVA',
    devedor: { cnpj: '12345678000195', nome: 'Empresa de Serviços SA' },
    valor: { original: '567.89', modalidadeAlteracao: 0 },
    chave: 'a1f4102e-a446-4a57-bcce-6fa48899c1d1',
    pixCopiaECola: null,
    brcode: 'elsewhere',
    pix: null,
  }

  test('is read, with null as absent', () => {
    assert.deepEqual(parseCharge(bytes(example), ['pixCopiaECola', 'brcode']), {
      txid: '7978c0c97ea847e78e8849634473c1f1',
      status: 'ATIVA',
      amount: 567_89n,
      copyPaste: 'elsewhere',
      location: 'pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca25',
      // An hour after it was made.
      expiresAt: new Date('2020-09-09T21:15:00.358Z'),
      pix: [],
      unread: [],
    })
  })

  test('with an empty text is read as without it', () => {
    const read = parseCharge(bytes({ ...example, pixCopiaECola: '', txid: '' }), ['pixCopiaECola', 'brcode'])
    assert.deepEqual([read.copyPaste, 'txid' in read], ['elsewhere', false])
  })

  test('with a status that we do not know is read without it', () => {
    assert.equal('status' in parseCharge(bytes({ ...example, status: 'NOVA' }), []), false)
  })

  test('whose span is nothing, or whose start is unknown, has no end that we know', () => {
    const endOf = (calendario: unknown) => parseCharge(bytes({ ...example, calendario }), []).expiresAt
    const criacao = '2020-09-09T20:15:00.358Z'
    assert.deepEqual(endOf({ criacao, expiracao: 1 }), new Date('2020-09-09T20:15:01.358Z'))
    for (const calendario of [
      { criacao, expiracao: 0 },
      { criacao, expiracao: '3600' },
      { expiracao: 3600 },
      { criacao },
    ])
      assert.equal(endOf(calendario), undefined, JSON.stringify(calendario))
  })

  test('whose location has a scheme loses the scheme', () => {
    const location = 'https://pix.example.com/qr/v2/x'
    assert.equal(parseCharge(bytes({ ...example, location }), []).location, 'pix.example.com/qr/v2/x')
  })
})

describe('received Pix', () => {
  test('unknown fields and odd ids are ignored, the instant is exact', () => {
    const read = parsePix({
      ...pix,
      endToEndId: 'E0000000020210101000000abc',
      gnExtras: { x: 1 },
      pagador: { cpf: '1' },
    })
    assert.equal(read.happenedAt.toISOString(), '2026-01-02T06:04:05.678Z')
  })

  test('an item without money or instant is an error that names its field', () => {
    for (const [given, field] of [
      [{ endToEndId: 'E 1' }, 'endToEndId'],
      [{ endToEndId: undefined }, 'endToEndId'],
      [{ valor: '0.00' }, 'valor'],
      [{ valor: 1 }, 'valor'],
      [{ horario: 'ontem' }, 'horario'],
      [{ horario: '2026-01-02T03:04:05' }, 'horario'],
    ] as const) {
      assert.throws(() => parsePix({ ...pix, ...given }), {
        name: 'ProviderError',
        message: new RegExp(field),
      })
    }
  })

  test('an unreadable item hides neither the others of its page nor its own returns', () => {
    const broken = { ...pix, valor: 'x' }
    const odd = {
      ...pix,
      devolucoes: [
        { id: 'a', valor: 'x' },
        { id: 'b', valor: '1.00', status: 'DEVOLVIDO' },
      ],
    }
    const pagesOf = (quantidadeDePaginas: unknown) =>
      parsePixPage(bytes({ parametros: { paginacao: { quantidadeDePaginas } }, pix: [] })).pages
    assert.deepEqual([0, 1, -1, 1.5, '2', undefined].map(pagesOf), [
      0,
      1,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    const parametros = { paginacao: { quantidadeDePaginas: 3 } }
    const page = parsePixPage(bytes({ parametros, pix: [broken, odd, pix] }))
    assert.deepEqual([page.pix.length, page.unread.length, page.length, page.pages], [2, 1, 3, 3])
    assert.deepEqual([page.pix[0]?.returns.map(({ id }) => id), page.pix[0]?.unread.length], [['b'], 1])
  })
})

describe('callbacks', () => {
  test('give the hints of their ids only', () => {
    const sent = {
      pix: [
        { ...pix, txid: 'abc' },
        { txid: 'def' },
        { tipo: 'SOLICITACAO' },
        null,
        'x',
        { endToEndId: '../../x' },
        { ...pix, tipo: 'SOLICITACAO' },
        { txid: '../../x' },
      ],
    }
    assert.deepEqual(parseHints(bytes(sent)), [{ endToEndId: 'E1', txid: 'abc' }, { txid: 'def' }])
  })

  test('with junk give no hints', () => {
    for (const junk of ['', 'x', 'null', '[]', '{}', '{"pix":{}}', '{"pix":"E1"}'])
      assert.equal(parseHints(bytes(junk)), undefined)
    fc.assert(
      fc.property(fc.json(), (text) => {
        parseHints(bytes(text))
        readFault(bytes(text))
      }),
    )
  })
})

test('a list, a text and nothing are no objects', () => {
  const values = [{}, [], 'x', 7, null, undefined]
  assert.deepEqual(values.map(isObject), [true, false, false, false, false, false])
})

test('a token is printable and its lifetime a number, or a text of digits', () => {
  assert.deepEqual(parseGrant(bytes({ access_token: 'a', expires_in: 60 })), {
    token: 'a',
    lifetimeMs: 60_000,
  })
  assert.deepEqual(parseGrant(bytes({ access_token: 'a', expires_in: '60' })), {
    token: 'a',
    lifetimeMs: 60_000,
  })
  for (const none of [undefined, 0, '0', '1 h', '1234567890', null])
    assert.deepEqual(parseGrant(bytes({ access_token: 'a', expires_in: none })), {
      token: 'a',
      lifetimeMs: undefined,
    })
  assert.equal(parseGrant(bytes({ access_token: 'a', expires_in: 1 })).lifetimeMs, 1_000)
  for (const token of [undefined, '', 'a\nb', 7])
    assert.throws(() => parseGrant(bytes({ access_token: token })))
})

test('a return has an id of 1 to 64 printable signs, and a status that we know or none', () => {
  const sent = { id: 'D1', valor: '1.00', status: 'DEVOLVIDO' }
  assert.deepEqual(parseReturn(sent), { id: 'D1', amount: 100n, status: 'DEVOLVIDO' })
  assert.deepEqual(parseReturn({ ...sent, status: 'NOVO' }), { id: 'D1', amount: 100n })
  assert.equal(parseReturn({ ...sent, id: 'x'.repeat(64) }).id.length, 64)
  for (const id of [undefined, '', 'a b', 'x'.repeat(65)])
    assert.throws(() => parseReturn({ ...sent, id }), { name: 'ProviderError', message: /devolucao.id/ })
})

test('a refusal is told in its own words, each once and up to 300 signs, with the fields that it names', () => {
  const faults = [
    { razao: 'O valor é inválido', propriedade: 'cob.valor' },
    { razao: 'O valor é inválido' },
    { razao: 7, propriedade: 'cob.chave' },
    { propriedade: 8 },
    null,
    'x',
  ]
  const sent = bytes({ title: 'Cobrança inválida', detail: 'A requisição', status: 400, violacoes: faults })
  assert.equal(readFault(sent), 'Cobrança inválida A requisição O valor é inválido')
  assert.deepEqual(faultyFields(sent), ['cob.valor', 'cob.chave'])
  assert.equal(readFault(bytes({ nome: 'x'.repeat(301) })), 'x'.repeat(300))
  for (const none of ['', 'null', '[]', '{}', '{"title":" "}', '{"violacoes":{"razao":"x"}}']) {
    assert.equal(readFault(bytes(none)), undefined, none)
    assert.deepEqual(faultyFields(bytes(none)), [], none)
  }
})
