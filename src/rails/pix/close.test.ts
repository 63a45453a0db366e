// A charge is over only when nobody can pay it any more and its money is known. At the sandbox's bank, and with the answers of others.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ProviderError } from '#/kernel/error.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { addMs, minuteMs } from '#/kernel/time.ts'
import type { Rail } from '#/rails/rail.ts'
import { startPixBank, type PixBank } from '../../../test/rails/pix/bank.ts'
import { opening, shopAt } from '../../../test/rails/pix/rail.ts'
import { closeCharge } from './close.ts'
import type { Charge } from './wire.ts'
import { parseCharge } from './wire.ts'

describe('at the bank of the sandbox', () => {
  let bank: PixBank
  before(async () => {
    bank = await startPixBank()
  })
  after(() => bank[Symbol.asyncDispose]())

  const close = (rail: Rail, attempt: ReturnType<typeof opening>) => {
    assert.ok(rail.opens.at === 'REQUEST')
    return rail.opens.close({ ...attempt, artifacts: {} })
  }

  test('an open charge is removed, once for any number of calls, and cannot be paid then', async (t) => {
    const { rail, id, chargesOf } = await shopAt(bank, t)
    const attempt = opening(id)
    assert.ok(rail.opens.at === 'REQUEST')
    await rail.opens.open(attempt)
    for (let i = 0; i < 2; i++) assert.deepEqual(await close(rail, attempt), { receipts: [], isOver: true })
    assert.equal((await chargesOf(attempt))[0]?.['status'], 'REMOVIDA_PELO_USUARIO_RECEBEDOR')
  })

  test('a paid charge is over, with the receipt of its money', async (t) => {
    const { rail, id, paid } = await shopAt(bank, t)
    const attempt = opening(id)
    await paid(attempt)
    const { receipts, isOver } = await close(rail, attempt)
    assert.deepEqual(
      [isOver, receipts.map(({ outcome, attempt: of, amount }) => [outcome, of?.id, amount.minor])],
      [true, [['paid', attempt.id, attempt.amount.minor]]],
    )
  })

  test('a charge that the bank does not know is not over', async (t) => {
    const { rail, id } = await shopAt(bank, t)
    assert.deepEqual(await close(rail, opening(id)), { receipts: [], isOver: false })
  })
})

const connection = 'a1-x' as ConnectionId
const now = new Date('2026-11-21T12:00:00.000Z')
const txid = newId().replaceAll('-', '')
const pix = (valor: unknown) => ({
  endToEndId: 'E99999008202611211200abcdefghij1',
  txid,
  valor,
  horario: '2026-11-21T11:59:00.000Z',
})

function charge(status: string, more: Readonly<Record<string, unknown>> = {}): Charge {
  const calendario = { criacao: '2026-11-21T11:00:00.000Z', expiracao: 3600 }
  const body = { txid, status, calendario, valor: { original: '10.00' }, ...more }
  return parseCharge(Buffer.from(JSON.stringify(body)), [])
}

/** A PSP that reports these charges one after another, and answers a removal so. */
function psp(
  found: readonly (Charge | undefined)[],
  removal: () => Promise<'removed' | 'already_paid' | 'gone'>,
) {
  const left = [...found]
  return {
    getCharge: async () => {
      const value = left.length > 1 ? left.shift() : left[0]
      return value && { value, raw: Buffer.from('') }
    },
    removeCharge: removal,
  }
}

const closeAt = (client: ReturnType<typeof psp>, at = now) =>
  closeCharge({ connection, client, clock: { now: () => at }, txid })
const removed = async () => 'removed' as const
const refused = async () => Promise.reject(new ProviderError('refused', 'cobrança expirada'))

test('a charge that is paid between the two calls is over with its money', async () => {
  const paid = charge('CONCLUIDA', { pix: [pix('4.00')] })
  const { receipts, isOver } = await closeAt(psp([charge('ATIVA'), paid], async () => 'already_paid'))
  assert.deepEqual([isOver, receipts.map(({ amount }) => amount.minor)], [true, [400n]])
})

test('a charge is not over while its money cannot be read, or is not listed yet', async () => {
  for (const found of [
    charge('CONCLUIDA'),
    charge('CONCLUIDA', { pix: [pix('four')] }),
    charge('CONCLUIDA', { pix: [pix('4.00'), { ...pix('1.00'), endToEndId: '' }] }),
    charge('REMOVIDA_PELO_PSP', { pix: [pix(null)] }),
    charge('SOMETHING_NEW'),
  ])
    assert.equal((await closeAt(psp([found], removed))).isOver, false, JSON.stringify(found.status))
})

test('a PSP that refuses to remove an expired charge: it is over five minutes after its end, and not before', async () => {
  const client = psp([charge('ATIVA')], refused)
  await assert.rejects(closeAt(client, addMs(now, 4 * minuteMs)), /expirada/)
  assert.equal((await closeAt(client, addMs(now, 5 * minuteMs))).isOver, true)
  const timeless = psp([charge('ATIVA', { calendario: {} })], refused)
  await assert.rejects(closeAt(timeless, addMs(now, 60 * minuteMs)), /expirada/)
})

test('without an answer to the removal nothing is known', async () => {
  const away = async () => Promise.reject(new ProviderError('unknown', 'cut off'))
  await assert.rejects(closeAt(psp([charge('ATIVA')], away), addMs(now, 60 * minuteMs)), /cut off/)
})
