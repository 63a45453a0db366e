// EUR out by bank transfer: queued, put into a file, taken once, and ended by what the bank says.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { payoutDeps } from '#/app/work.ts'
import { must } from '#/kernel/check.ts'
import { newId, type WithdrawalId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { beginFreeze, endFreeze } from '#/operator/freezes.ts'
import { stopPayoutAs } from '#/operator/payouts.ts'
import { handInPayments } from '#/sandbox/payment-files.ts'
import { compareBalances } from '#/settlement/balances.ts'
import { reconcilePayouts } from '#/settlement/reconcile-payouts.ts'
import { selectWithdrawalsById } from '#/withdrawals/queries.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import { sendDueWithdrawals } from '#/withdrawals/send.ts'
import type { WithdrawalRequest } from '#/withdrawals/withdrawal.ts'
import { reportFile, statementFile, type Transfer } from '../../../test/rails/sepa-files.ts'
import { iban, openSepaWorld, type SepaWorld } from '../../../test/sepa-world.ts'
import { setSubAccount } from '../../../test/set-sub-account.ts'
import { makeBatch, takeFile } from './batch.ts'
import { all, find, parseXml, textAt } from './xml.ts'

/** The example of the registry of IBANs (ISO 13616). */
const to = 'DE89 3704 0044 0532 0130 00'

const operator = { by: { actor: { kind: 'OPERATOR', id: 'ana' } }, name: 'ana' } as const

suite('EUR that leaves by bank transfer', () => {
  let world: SepaWorld
  let held = 0
  let day = 0
  before(async () => {
    world = await openSepaWorld()
    const { payment } = await world.create(100_000)
    await take([{ ref: 'IN', minor: 100_000, structured: await world.referenceOf(payment.id) }])
  })
  after(() => world[Symbol.asyncDispose]())

  /** The next day's statement. */
  async function take(transfers: readonly Transfer[]) {
    const on = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)
    const dated = transfers.map((each) => ({ ...each, day: on }))
    const bytes = statementFile({ iban, id: `S${day}`, opening: held, day: on, transfers: dated })
    assert.equal((await world.hand(bytes)).state, 'IMPORTED')
    held += transfers.reduce((sum, { minor, isDebit }) => sum + (isDebit ? -minor : minor), 0)
    day += 1
  }
  const senderDeps = () => payoutDeps(world.pix.core)
  async function ask(minor: number, more: Partial<WithdrawalRequest> = {}, id = newId<'withdrawal'>()) {
    const { core, merchant } = world.pix
    const request: WithdrawalRequest = {
      type: 'SEPA',
      amount: minor,
      currency: 'EUR',
      iban: to,
      beneficiary: 'Ana Müller',
      ...more,
    }
    const rail = must(core.payoutRails.get('SEPA'), 'it pays out')
    return core.lane.submit(withdrawalKind(), {
      merchantId: merchant.id,
      mode: merchant.mode,
      id,
      request,
      requestedBy: newId<'api-key'>(),
      routing: rail.route({ mode: merchant.mode, merchantId: merchant.id, ...request }),
    })
  }
  async function withdraw(minor: number, more: Partial<WithdrawalRequest> = {}): Promise<WithdrawalId> {
    const id = newId<'withdrawal'>()
    const verdict = await ask(minor, more, id)
    assert.equal(
      verdict.kind,
      'created',
      JSON.stringify(verdict, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    )
    await sendDueWithdrawals(senderDeps())
    return id
  }
  const stateOf = async (id: WithdrawalId) => {
    const [found] = await selectWithdrawalsById(world.pix.core.sql, [id])
    return must(found, 'it is there')
  }
  const learn = async () => {
    await world.pix.core.sql`update reconciliation set due_at = now() - interval '1 second'`
    await reconcilePayouts({ ...senderDeps(), connections: world.pix.core.connections, periodMs: 1 })
  }
  const batch = async () =>
    must(await makeBatch(world.pix.core, { connection: world.account, by: 'a test' }), 'something waits')
  const bytesOf = async (id: Awaited<ReturnType<typeof batch>>['id']) => {
    let bytes: Buffer | undefined
    await takeFile(world.pix.core.sql, { id, by: 'a test', write: async (given) => void (bytes = given) })
    return bytes
  }
  const euro = async () => (await world.pix.balances()).available
  const verdictOfBalances = async () =>
    (await compareBalances(world.pix.core)).find(({ connection }) => connection === world.account)?.verdict

  test('it waits, is put into one file, and the file is handed out once', async () => {
    const first = await withdraw(12_345, { description: 'Invoice 7 – à vous <&>' })
    const second = await withdraw(1)
    assert.equal((await stateOf(first)).status, 'PROCESSING')
    const made = await batch()
    assert.deepEqual([made.payouts, made.sumMinor], [2, 12_346n])
    assert.equal(await makeBatch(world.pix.core, { connection: world.account, by: 'x' }), undefined)
    const failing = takeFile(world.pix.core.sql, {
      id: made.id,
      by: 'x',
      write: async () => assert.fail('the disk is full'),
    })
    await assert.rejects(failing, /the disk is full/)
    const bytes = must(await bytesOf(made.id), 'it was not taken yet')
    assert.equal(await bytesOf(made.id), undefined)
    const { root } = parseXml(bytes)
    assert.ok(Object.values(root.attributes).includes('urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'))
    const info = find(root, 'CstmrCdtTrfInitn/PmtInf')
    assert.deepEqual(
      ['NbOfTxs', 'CtrlSum', 'BtchBookg', 'DbtrAcct/Id/IBAN', 'DbtrAgt/FinInstnId/BICFI'].map((at) =>
        textAt(info, at),
      ),
      ['2', '123.46', 'false', iban, 'BCOMPTPL'],
    )
    const [one] = all(info, 'CdtTrfTxInf').filter((each) => textAt(each, 'Amt/InstdAmt') === '123.45')
    assert.deepEqual(
      ['PmtId/EndToEndId', 'Cdtr/Nm', 'CdtrAcct/Id/IBAN', 'RmtInf/Ustrd'].map((at) => textAt(one, at)),
      [(await stateOf(first)).reference, 'Ana Muller', 'DE89370400440532013000', 'Invoice 7 - a vous (+)'],
    )
    const ends = [first, second].map(async (id, at) => ({
      ref: `OUT${at}`,
      minor: at === 0 ? 12_345 : 1,
      isDebit: true,
      endToEndId: (await stateOf(id)).reference,
    }))
    // Unknown is not failed: nothing ends before the bank says so.
    await learn()
    assert.equal((await stateOf(first)).status, 'PROCESSING')
    await take(await Promise.all(ends))
    await learn()
    for (const id of [first, second]) assert.equal((await stateOf(id)).status, 'COMPLETED')
    assert.equal(await verdictOfBalances(), 'agrees')
  })

  test('a recipient of any alphabet is named in letters, and one of whom no letter is left is refused', async () => {
    const names = [
      ['Γεώργιος', 'Georgios'],
      ['Юрий', 'Yuriy'],
      ['Đorđe & Söhne', 'Dorde + Sohne'],
    ] as const
    const ids = []
    for (const [beneficiary] of names) ids.push(await withdraw(10, { beneficiary, description: '//7//' }))
    const { root } = parseXml(must(await bytesOf((await batch()).id), 'it was not taken yet'))
    const named = all(find(root, 'CstmrCdtTrfInitn/PmtInf'), 'CdtTrfTxInf').map((each) => [
      textAt(each, 'PmtId/EndToEndId'),
      textAt(each, 'Cdtr/Nm'),
      textAt(each, 'RmtInf/Ustrd'),
    ])
    for (const [at, [, written]] of names.entries()) {
      const { reference } = await stateOf(must(ids[at], 'it was requested'))
      assert.deepEqual(named.find(([each]) => each === reference)?.slice(1), [written, '7'])
    }
    for (const beneficiary of ['山田太郎', '…', '12']) {
      const verdict = await ask(10, { beneficiary })
      assert.ok(verdict.kind === 'not_offered')
      assert.deepEqual([verdict.routing.code, verdict.routing.pointer], ['invalid_request', '/beneficiary'])
    }
    const ends = ids.map(async (id, at) => ({
      ref: `NAMED${at}`,
      minor: 10,
      isDebit: true,
      endToEndId: (await stateOf(id)).reference,
    }))
    await take(await Promise.all(ends))
    await learn()
    assert.equal(await verdictOfBalances(), 'agrees')
  })

  test('what the bank refuses is in the wallet again', async () => {
    const before = await euro()
    const [refused, paid] = [await withdraw(500), await withdraw(600)]
    assert.equal(await euro(), before - 1_100n)
    const made = await batch()
    await bytesOf(made.id)
    const { reference } = await stateOf(refused)
    const report = reportFile({ messageId: made.messageId, rejected: [{ reference, reason: 'AC04' }] })
    assert.equal((await world.hand(report)).state, 'IMPORTED')
    assert.equal((await world.hand(report)).state, 'KNOWN')
    assert.equal((await world.hand(reportFile({ messageId: 'OTHERS', rejected: [] }))).state, 'REFUSED')
    await learn()
    assert.deepEqual(
      [(await stateOf(refused)).status, (await stateOf(paid)).status],
      ['FAILED', 'PROCESSING'],
    )
    assert.equal(await euro(), before - 600n)
    await take([{ ref: 'OUT3', minor: 600, isDebit: true, endToEndId: (await stateOf(paid)).reference }])
    await learn()
    assert.equal((await stateOf(paid)).status, 'COMPLETED')
  })

  test('a file that the bank refuses whole ends all of it', async () => {
    const before = await euro()
    const ids = [await withdraw(10), await withdraw(20)]
    const made = await batch()
    await bytesOf(made.id)
    assert.equal(
      (await world.hand(reportFile({ messageId: made.messageId, whole: 'RJCT' }))).state,
      'IMPORTED',
    )
    await learn()
    for (const id of ids) assert.equal((await stateOf(id)).status, 'FAILED')
    assert.equal(await euro(), before)
  })

  test('a returned transfer is back in the wallet, and the books verify', async () => {
    const before = await euro()
    const id = await withdraw(700)
    await bytesOf((await batch()).id)
    const { reference: endToEndId } = await stateOf(id)
    await take([{ ref: 'OUT4', minor: 700, isDebit: true, endToEndId }])
    await learn()
    await take([{ ref: 'BACK', minor: 700, endToEndId, returned: 'AC01' }])
    await learn()
    const withdrawal = await stateOf(id)
    assert.deepEqual([withdrawal.status, withdrawal.returnedMinor], ['COMPLETED', 700n])
    assert.equal(await euro(), before)
    assert.equal(await verdictOfBalances(), 'agrees')
    assert.deepEqual((await world.pix.verify()).faults, [])
  })

  test('one that waits for a file can be frozen, and stopped; one in a file cannot', async () => {
    const before = await euro()
    const { core } = world.pix
    const rail = { kind: 'FREEZE', merchantId: null, rail: 'SEPA_TRANSFER' } as const
    const freezing = { sql: core.sql, cell: core.config.VINTEM_CELL }
    const id = await withdraw(750)
    await beginFreeze(freezing, operator, rail, 'a test')
    assert.equal(await makeBatch(core, { connection: world.account, by: 'x' }), undefined)
    assert.equal((await ask(750)).kind, 'frozen')
    await endFreeze(freezing, operator, rail, 'a test')
    assert.equal(await stopPayoutAs(core, operator, id, 'a test'), true)
    await sendDueWithdrawals(senderDeps())
    const { status, failure } = await stateOf(id)
    assert.deepEqual([status, failure?.code], ['FAILED', 'canceled'])
    assert.equal(await euro(), before)
    assert.equal(await makeBatch(core, { connection: world.account, by: 'x' }), undefined)
    const other = await withdraw(760)
    await bytesOf((await batch()).id)
    assert.equal(await stopPayoutAs(core, operator, other, 'a test'), false)
    await take([{ ref: 'OUT5', minor: 760, isDebit: true, endToEndId: (await stateOf(other)).reference }])
    await learn()
    assert.equal((await stateOf(other)).status, 'COMPLETED')
  })

  test('what the bank has, and no file of ours, was in a file that a restore lost: it is not paid again', async () => {
    const { core } = world.pix
    const [waiting, stopped, other] = [await withdraw(410), await withdraw(420), await withdraw(430)]
    assert.equal(await stopPayoutAs(core, operator, stopped, 'the bank has its file'), true)
    await learn()
    assert.equal((await stateOf(stopped)).status, 'FAILED')
    const debitOf = async (id: WithdrawalId, minor: number) =>
      ({ ref: `LOST${minor}`, minor, isDebit: true, endToEndId: (await stateOf(id)).reference }) as const
    // Another amount is no payout of ours.
    await take([await debitOf(waiting, 410), await debitOf(stopped, 420), await debitOf(other, 431)])
    await learn()
    assert.deepEqual(
      await Promise.all([waiting, stopped, other].map(async (id) => (await stateOf(id)).status)),
      ['COMPLETED', 'COMPLETED', 'PROCESSING'],
    )
    assert.deepEqual((await batch()).payouts, 1)
    assert.deepEqual((await world.pix.verify()).faults, [])
  })

  test('the sandbox hands a file in again, with the same bytes, until the bank’s answer came', async () => {
    const { sql, connections, stillLeaving } = world.pix.core
    const taken: unknown[] = []
    let isLost = true
    const bank = async (_method: string, path: string, body?: unknown) => {
      taken.push([path, body])
      if (isLost) throw new Error('the answer was lost')
    }
    const deps = { sql, connections, stillLeaving, clock: systemClock, bank, log: silentLog }
    await withdraw(800)
    assert.equal(await handInPayments(deps), 0)
    await withdraw(900)
    isLost = false
    assert.equal(await handInPayments(deps), 1)
    assert.deepEqual(taken[1], taken[0])
    assert.equal(await handInPayments(deps), 1, 'what came meanwhile goes in a file of its own')
    assert.notDeepEqual(taken[2], taken[0])
    assert.equal(await handInPayments(deps), 0)
    assert.equal(taken.length, 3)
  })

  test('an IBAN whose digits do not fit, another currency and a missing name are refused', () => {
    const { core, merchant } = world.pix
    const rail = must(core.payoutRails.get('SEPA'), 'it pays out')
    const base = {
      mode: merchant.mode,
      merchantId: merchant.id,
      currency: 'EUR',
      iban: to,
      beneficiary: 'Ana',
    }
    assert.equal(rail.route(base).ok, true)
    for (const [more, pointer] of [
      [{ iban: 'DE88370400440532013000' }, '/iban'],
      [{ iban: 'BR1800360305000010009795493C1' }, '/iban'],
      [{ currency: 'BRL' }, '/currency'],
      [{ beneficiary: ' ' }, '/beneficiary'],
    ] as const) {
      const routing = rail.route({ ...base, ...more })
      assert.equal(routing.ok ? undefined : routing.pointer, pointer)
    }
  })

  test('one that waits for a file goes into none while its sub-account is suspended', async () => {
    const { core, merchant } = world.pix
    const id = await withdraw(770)
    const suspend = (state: 'SUSPENDED' | 'ACTIVE') =>
      setSubAccount(core.sql, merchant.id, { state, clock: systemClock })
    await suspend('SUSPENDED')
    assert.equal(await makeBatch(core, { connection: world.account, by: 'x' }), undefined)
    assert.equal((await ask(750)).kind, 'frozen')
    await suspend('ACTIVE')
    const made = await batch()
    assert.deepEqual([made.payouts, made.sumMinor], [1, 770n])
    assert.equal((await stateOf(id)).status, 'PROCESSING')
  })
})
