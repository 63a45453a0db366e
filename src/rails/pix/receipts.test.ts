import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { fc } from '../../../test/chance.ts'
import { receiptsOf, toReference } from './receipts.ts'
import { parsePix, toAmountText } from './wire.ts'

const connection = '00-019a0000-0000-7000-8000-000000000001' as ConnectionId
const attemptId = '019a1111-2222-7333-8444-555566667777'
const refundId = '019a9999-2222-7333-8444-555566667777'
const hex = (id: string) => id.replaceAll('-', '')
const evidence = Buffer.from('{}')
const [paidAt, requestedAt, settledAt] = [
  '2026-01-02T03:04:05Z',
  '2026-01-03T00:00:00Z',
  '2026-01-03T00:00:01Z',
]

const received = (more: object = {}) => ({
  endToEndId: 'E12345678202601020304abcdefghijk',
  txid: hex(attemptId),
  valor: '12.34',
  horario: paidAt,
  ...more,
})

const returned = (more: object = {}) => ({
  id: hex(refundId),
  rtrId: 'D12345678202601030000abcdefghijk',
  valor: '2.34',
  natureza: 'ORIGINAL',
  horario: { solicitacao: requestedAt, liquidacao: settledAt },
  status: 'DEVOLVIDO',
  ...more,
})

const read = (sent: object) => receiptsOf(connection, parsePix(sent), evidence)
const brief = ({ outcome, providerRef, happenedAt }: Receipt) => [
  outcome,
  providerRef,
  happenedAt.toISOString(),
]

test('a Pix with our txid is money of that attempt', () => {
  assert.deepEqual(read(received()), [
    {
      method: 'PIX',
      attempt: { id: attemptId },
      connection,
      providerRef: 'E12345678202601020304abcdefghijk',
      outcome: 'paid',
      occurrence: 1,
      amount: { minor: 1234n, currency: 'BRL' },
      happenedAt: new Date(paidAt),
      evidence,
    },
  ])
})

test('a Pix without a txid, or with a foreign one, is not attributed', () => {
  for (const txid of [
    undefined,
    null,
    '',
    '***',
    'PEDIDO1',
    hex(attemptId).toUpperCase(),
    `${hex(attemptId)}0`,
  ]) {
    const [paid] = read(received({ txid }))
    assert.equal(paid?.outcome, 'paid')
    assert.ok(paid !== undefined && !('attempt' in paid), String(txid))
  }
})

describe('a return with an id of ours', () => {
  test('that was made is a completed refund', () => {
    const [, refund, ...more] = read(received({ devolucoes: [returned()] }))
    assert.deepEqual(refund, {
      method: 'PIX',
      attempt: { id: attemptId },
      connection,
      providerRef: `E12345678202601020304abcdefghijk:${hex(refundId)}`,
      outcome: 'refunded',
      occurrence: 1,
      refund: refundId,
      amount: { minor: 234n, currency: 'BRL' },
      happenedAt: new Date(settledAt),
      evidence,
    })
    assert.equal(more.length, 0)
  })

  test('that was not made is a refund that failed, and the bank’s text is not in its failure', () => {
    const [, refund] = read(
      received({ devolucoes: [returned({ status: 'NAO_REALIZADO', motivo: 'Conta encerrada' })] }),
    )
    assert.deepEqual([refund?.outcome, refund?.refund], ['refund_failed', refundId])
    assert.deepEqual(refund?.failure, {
      code: 'refused_by_bank',
      message: 'The bank did not carry the refund out.',
    })
  })

  test('that is under way, or has a status that we do not know, has no receipt yet', () => {
    for (const status of ['EM_PROCESSAMENTO', 'AGENDADO', null]) {
      assert.equal(read(received({ devolucoes: [returned({ status })] })).length, 1)
    }
  })
})

describe('a return that we did not request', () => {
  const ref = `E12345678202601020304abcdefghijk:M1`
  const med = (more: object) =>
    read(received({ devolucoes: [returned({ id: 'M1', natureza: 'MED_FRAUDE', ...more })] })).slice(1)

  test('under way is a dispute', () => {
    const disputes = med({ status: 'EM_PROCESSAMENTO', horario: { solicitacao: requestedAt } })
    assert.deepEqual(disputes.map(brief), [['dispute_opened', ref, '2026-01-03T00:00:00.000Z']])
    assert.deepEqual(disputes[0]?.dispute, {
      paidRef: 'E12345678202601020304abcdefghijk',
      kind: 'MED',
      reason: 'MED_FRAUDE',
    })
  })

  test('states its reason by the standard’s own name only', () => {
    const [named] = med({ motivo: 'Suspeita: golpe do 0800' })
    assert.equal(named?.dispute?.reason, 'MED_FRAUDE')
    const [odd] = med({ natureza: 'MED_<b>', motivo: 'x' })
    assert.deepEqual([odd?.outcome, odd?.dispute?.reason], ['dispute_opened', undefined])
  })

  test('made is a dispute that took the money and is lost', () => {
    assert.deepEqual(med({}).map(brief), [
      ['dispute_opened', ref, '2026-01-03T00:00:00.000Z'],
      ['dispute_taken', ref, '2026-01-03T00:00:01.000Z'],
      ['dispute_lost', ref, '2026-01-03T00:00:01.000Z'],
    ])
  })

  test('not made is a dispute that is won', () => {
    assert.deepEqual(
      med({ status: 'NAO_REALIZADO', motivo: 'Improcedente' }).map(({ outcome }) => outcome),
      ['dispute_opened', 'dispute_won'],
    )
  })

  test('is a dispute although its id has the form of ours, when its nature is MED', () => {
    for (const natureza of ['MED_OPERACIONAL', 'MED_FRAUDE', 'MED_PIX_AUTOMATICO', 'MED_NOVO']) {
      const [, first] = read(received({ devolucoes: [returned({ natureza })] }))
      assert.deepEqual([first?.outcome, first?.refund], ['dispute_opened', undefined])
    }
  })

  test('is a dispute although its nature is not MED, when its id is not ours', () => {
    assert.equal(med({ natureza: 'ORIGINAL' })[0]?.outcome, 'dispute_opened')
    assert.equal(med({ natureza: undefined })[0]?.outcome, 'dispute_opened')
  })
})

describe('laws', () => {
  const instant = fc
    .date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    .map((at) => at.toISOString())
  const id = fc.oneof(fc.uuid().map(hex), fc.stringMatching(/^[A-Za-z0-9]{1,35}$/))
  const cents = fc.bigInt({ min: 1n, max: 999_999_999_999n })
  const one = fc.record({
    id,
    valor: cents.map(toAmountText),
    natureza: fc.constantFrom('ORIGINAL', 'MED_FRAUDE', 'RETIRADA', undefined),
    status: fc.constantFrom('EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO', 'OUTRO'),
    motivo: fc.option(fc.string({ maxLength: 20 })),
    horario: fc.record({ solicitacao: instant, liquidacao: fc.option(instant) }),
  })
  const pix = fc.record({
    endToEndId: fc.stringMatching(/^[A-Za-z0-9]{1,40}$/),
    txid: fc.option(id),
    amount: cents,
    horario: instant,
    devolucoes: fc.uniqueArray(one, { selector: (each) => each.id, maxLength: 5 }),
  })
  const sentOf = ({ amount, ...rest }: { amount: bigint }) => ({ ...rest, valor: toAmountText(amount) })
  const nameOf = ({ providerRef, outcome, occurrence }: Receipt) => `${providerRef} ${outcome} ${occurrence}`

  test('one credit for each end-to-end id, to the cent, for any number of reports in any state', () => {
    fc.assert(
      fc.property(pix, (given) => {
        const receipts = read(sentOf(given))
        const paid = receipts.filter(({ outcome }) => outcome === 'paid')
        assert.deepEqual(paid.map(nameOf), [`${given.endToEndId} paid 1`])
        assert.equal(paid[0]?.amount.minor, given.amount)
        assert.deepEqual(read(sentOf(given)), receipts)
        assert.equal(new Set(receipts.map(nameOf)).size, receipts.length)
      }),
    )
  })

  test('a return is a refund or a dispute, never both, and a refund never has more than one outcome', () => {
    fc.assert(
      fc.property(pix, (given) => {
        const receipts = read(sentOf(given)).slice(1)
        for (const group of Map.groupBy(receipts, ({ providerRef }) => providerRef).values()) {
          const isRefund = group.some(({ refund }) => refund !== undefined)
          assert.ok(isRefund ? group.length === 1 : group.every(({ dispute }) => dispute !== undefined))
          if (!isRefund) assert.equal(group[0]?.outcome, 'dispute_opened')
        }
      }),
    )
  })

  test('no receipt disappears when a return continues', () => {
    fc.assert(
      fc.property(pix, fc.constantFrom('DEVOLVIDO', 'NAO_REALIZADO'), (given, status) => {
        const underWay = {
          ...given,
          devolucoes: given.devolucoes.map((each) => ({ ...each, status: 'EM_PROCESSAMENTO' })),
        }
        const ended = { ...given, devolucoes: given.devolucoes.map((each) => ({ ...each, status })) }
        const after = new Set(read(sentOf(ended)).map(nameOf))
        for (const name of read(sentOf(underWay)).map(nameOf)) assert.ok(after.has(name))
      }),
    )
  })

  test('an attempt is found by its txid', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        const [paid] = read(received({ txid: toReference(uuid as Parameters<typeof toReference>[0]) }))
        assert.equal(paid?.attempt?.id, uuid)
      }),
    )
  })
})
