import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fc } from '../../../test/chance.ts'
import {
  parseAmount,
  parseCharge,
  parseGrant,
  parseHints,
  parsePix,
  parsePixPage,
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

  test('with a status that we do not know is read without it', () => {
    assert.equal('status' in parseCharge(bytes({ ...example, status: 'NOVA' }), []), false)
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

test('a token is printable and its lifetime a number, or a text of digits', () => {
  assert.deepEqual(parseGrant(bytes({ access_token: 'a', expires_in: 60 })), {
    token: 'a',
    lifetimeMs: 60_000,
  })
  assert.deepEqual(parseGrant(bytes({ access_token: 'a', expires_in: '60' })), {
    token: 'a',
    lifetimeMs: 60_000,
  })
  assert.deepEqual(parseGrant(bytes({ access_token: 'a' })), { token: 'a', lifetimeMs: undefined })
  for (const token of [undefined, '', 'a\nb', 7])
    assert.throws(() => parseGrant(bytes({ access_token: token })))
})
