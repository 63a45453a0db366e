// Payouts that a bank books as one debit for the whole file, whose reference it writes in capitals, and reports that do not say clearly
// what became of them.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { payoutDeps } from '#/app/work.ts'
import { must } from '#/kernel/check.ts'
import { newId, type WithdrawalId } from '#/kernel/id.ts'
import { reconcilePayouts } from '#/settlement/reconcile-payouts.ts'
import { selectWithdrawalsById } from '#/withdrawals/queries.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import { sendDueWithdrawals } from '#/withdrawals/send.ts'
import { reportFile, statementFile, type Transfer } from '../../../test/rails/sepa-files.ts'
import { iban, openSepaWorld, type SepaWorld } from '../../../test/sepa-world.ts'
import { makeBatch, takeFile } from './batch.ts'
import { decideHeld, listHeld } from './held.ts'

suite('payouts of a whole file', () => {
  let world: SepaWorld
  let held = 0
  let day = 0
  before(async () => {
    world = await openSepaWorld()
    const { payment } = await world.create(100_000)
    await take({ ref: 'IN', minor: 100_000, structured: await world.referenceOf(payment.id) })
  })
  after(async () => {
    await using _ = world
    assert.deepEqual((await world.pix.verify()).faults, [])
  })

  async function take(...transfers: readonly Transfer[]) {
    const on = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)
    const dated = transfers.map((each) => ({ ...each, day: on }))
    const bytes = statementFile({ iban, id: `S${day}`, opening: held, day: on, transfers: dated })
    const imported = await world.hand(bytes)
    assert.ok(imported.state === 'IMPORTED', JSON.stringify(imported))
    held += transfers.reduce((sum, { minor, isDebit }) => sum + (isDebit ? -minor : minor), 0)
    day += 1
    return imported
  }
  async function withdraw(minor: number): Promise<WithdrawalId> {
    const { core, merchant } = world.pix
    const id = newId<'withdrawal'>()
    const to = { iban: 'DE89370400440532013000', beneficiary: 'Ana' }
    const request = { type: 'SEPA', amount: minor, currency: 'EUR', ...to } as const
    const rail = must(core.payoutRails.get('SEPA'), 'it pays out')
    const item = {
      merchantId: merchant.id,
      mode: merchant.mode,
      id,
      request,
      requestedBy: newId<'api-key'>(),
    }
    const routing = rail.route({ mode: merchant.mode, merchantId: merchant.id, ...request })
    assert.equal((await core.lane.submit(withdrawalKind(), { ...item, routing })).kind, 'created')
    await sendDueWithdrawals(payoutDeps(core))
    return id
  }
  const rowOf = async (id: WithdrawalId) =>
    must((await selectWithdrawalsById(world.pix.core.sql, [id]))[0], 'it is there')
  const learn = async () => {
    await world.pix.core.sql`update reconciliation set due_at = now() - interval '1 second'`
    await reconcilePayouts({
      ...payoutDeps(world.pix.core),
      connections: world.pix.core.connections,
      periodMs: 1,
    })
  }
  const statusesOf = async (ids: readonly WithdrawalId[]) => {
    await learn()
    return Promise.all(ids.map(async (id) => (await rowOf(id)).status))
  }
  /** A file of payouts of these amounts, taken to the bank. */
  async function file(...amounts: readonly number[]) {
    const ids: WithdrawalId[] = []
    for (const minor of amounts) ids.push(await withdraw(minor))
    const { sql } = world.pix.core
    const made = must(
      await makeBatch(world.pix.core, { connection: world.account, by: 'a test' }),
      'some wait',
    )
    await takeFile(sql, { id: made.id, by: 'a test', write: async () => {} })
    return { ids, messageId: made.messageId }
  }
  const debit = (ref: string, minor: number, btch: string): Transfer => ({
    ref,
    minor,
    isDebit: true,
    details: `<Btch>${btch}</Btch>`,
  })
  const releaseHeld = async () => {
    for (const { connection, entry } of await listHeld(world.pix.core.sql))
      assert.equal((await decideHeld(world.deps, { connection, entry, isSame: false })).kind, 'decided')
  }

  test('one debit with our MsgId, the number and the sum of the file completes all of it', async () => {
    const { ids, messageId } = await file(1_000, 2_000, 3_000)
    const imported = await take(debit('OUT', 6_000, `<MsgId>${messageId}</MsgId><NbOfTxs>3</NbOfTxs>`))
    assert.equal(imported.held, 0)
    assert.deepEqual(await statusesOf(ids), ['COMPLETED', 'COMPLETED', 'COMPLETED'])
  })

  test('by PmtInfId in capitals, and without what the bank refused before', async () => {
    const { ids, messageId } = await file(100, 200, 300)
    const reference = (await rowOf(must(ids[1], 'a payout'))).reference
    await world.hand(reportFile({ messageId, rejected: [{ reference, reason: 'AC04' }] }))
    const btch = `<PmtInfId>${messageId.toUpperCase()}</PmtInfId><NbOfTxs>02</NbOfTxs>`
    assert.equal((await take(debit('OUT2', 400, btch))).held, 0)
    assert.deepEqual(await statusesOf(ids), ['COMPLETED', 'FAILED', 'COMPLETED'])
  })

  for (const [name, minor, count] of [
    ['another sum', 299, '2'],
    ['another number', 300, '3'],
    ['no number', 300, ''],
  ] as const)
    test(`one debit for a file with ${name} is held, and ends nothing`, async () => {
      const { ids, messageId } = await file(100, 200)
      const number = count === '' ? '' : `<NbOfTxs>${count}</NbOfTxs>`
      const imported = await take(debit(`BAD${minor}${count}`, minor, `<MsgId>${messageId}</MsgId>${number}`))
      assert.equal(imported.held, 1)
      assert.deepEqual(await statusesOf(ids), ['PROCESSING', 'PROCESSING'])
      await releaseHeld()
      assert.deepEqual(await statusesOf(ids), ['PROCESSING', 'PROCESSING'])
    })

  test('a second debit for the same file is held', async () => {
    const { ids, messageId } = await file(110, 220)
    const btch = `<MsgId>${messageId}</MsgId><NbOfTxs>2</NbOfTxs>`
    assert.equal((await take(debit('TWICE1', 330, btch), debit('TWICE2', 330, btch))).held, 1)
    assert.deepEqual(await statusesOf(ids), ['COMPLETED', 'COMPLETED'])
    assert.equal((await take(debit('TWICE3', 330, btch))).held, 1)
    await releaseHeld()
  })

  test('an EndToEndId in other capitals is ours', async () => {
    const { ids } = await file(700)
    const { reference } = await rowOf(must(ids[0], 'a payout'))
    await take({ ref: 'CAPS', minor: 700, isDebit: true, endToEndId: reference.toUpperCase() })
    assert.deepEqual(await statusesOf(ids), ['COMPLETED'])
    await take({ ref: 'CAPS-BACK', minor: 700, endToEndId: reference.toUpperCase(), returned: 'AC01' })
    await learn()
    assert.equal((await rowOf(must(ids[0], 'a payout'))).returnedMinor, 700n)
  })

  test('a report that refuses the whole file beside single states ends only those, and is raised to a person', async () => {
    const { ids, messageId } = await file(10, 20)
    const first = (await rowOf(must(ids[0], 'a payout'))).reference
    const rejected = [{ reference: first, reason: 'AC04' }]
    const imported = await world.hand(reportFile({ messageId, whole: 'RJCT', rejected }))
    assert.match(imported.state === 'IMPORTED' ? (imported.raised ?? '') : '', /what became of the others/)
    assert.deepEqual(await statusesOf(ids), ['FAILED', 'PROCESSING'])
    const [row] = await world.pix.core.sql<{ raised: string | null }[]>`
      select raised from sepa_file where about = ${messageId}`
    assert.match(row?.raised ?? '', /what became of the others/)
    // With the others' states it is clear.
    const other = await file(30)
    const only = (await rowOf(must(other.ids[0], 'a payout'))).reference
    const clear = await world.hand(
      reportFile({
        messageId: other.messageId,
        whole: 'RJCT',
        rejected: [{ reference: only, reason: 'AC04' }],
      }),
    )
    assert.equal(clear.state === 'IMPORTED' && clear.raised, undefined)
    assert.deepEqual(await statusesOf(other.ids), ['FAILED'])
  })

  test('a whole file that is refused beside payments that were accepted gives nothing back', async () => {
    const { ids, messageId } = await file(40, 50)
    const reference = (await rowOf(must(ids[0], 'a payout'))).reference
    const bytes = reportFile({ messageId, whole: 'RJCT', rejected: [{ reference, reason: 'AC04' }] })
    const accepted = Buffer.from(bytes.toString('utf8').replace('<TxSts>RJCT<', '<TxSts>ACSC<'))
    const imported = await world.hand(accepted)
    assert.match(imported.state === 'IMPORTED' ? (imported.raised ?? '') : '', /refuses the whole file/)
    assert.deepEqual(await statusesOf(ids), ['PROCESSING', 'PROCESSING'])
  })

  test('what was canceled at the bank is raised to a person, and ends nothing', async () => {
    const { ids, messageId } = await file(60)
    const reference = (await rowOf(must(ids[0], 'a payout'))).reference
    const one = reportFile({ messageId, rejected: [{ reference, reason: 'AC04' }] })
    const whole = reportFile({ messageId, whole: 'RJCT' })
    for (const [bytes, what] of [
      [
        Buffer.from(one.toString('utf8').replace('<TxSts>RJCT<', '<TxSts>CANC<')),
        /payments were canceled \(CANC\): \w+/,
      ],
      [
        Buffer.from(whole.toString('utf8').replace('<GrpSts>RJCT<', '<GrpSts>CANC<')),
        /the file was canceled/,
      ],
    ] as const) {
      const imported = await world.hand(bytes)
      assert.match(imported.state === 'IMPORTED' ? (imported.raised ?? '') : '', what)
      assert.deepEqual(await statusesOf(ids), ['PROCESSING'])
    }
  })
})
