// A small installation in which everything of bank transfers has happened once: credits that were matched, credits that were proposed,
// credits without a payment, and payouts with every end. For tests that tamper with the records.
import { payoutDeps } from '#/app/work.ts'
import { connect } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { newId, type WithdrawalId } from '#/kernel/id.ts'
import { makeBatch, takeFile } from '#/rails/sepa/batch.ts'
import { decide, listProposals } from '#/rails/sepa/propose.ts'
import { reconcilePayouts } from '#/settlement/reconcile-payouts.ts'
import { selectWithdrawalsById } from '#/withdrawals/queries.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import { sendDueWithdrawals } from '#/withdrawals/send.ts'
import { notificationFile, reportFile, statementFile, type Transfer } from './rails/sepa-files.ts'
import { iban, openSepaWorld, type SepaWorld } from './sepa-world.ts'
import { keepCopies, type Place } from './tampering.ts'

export type FilledSepaWorld = Place & AsyncDisposable & { readonly base: SepaWorld }

/** The example of the registry of IBANs (ISO 13616). */
const to = 'DE89370400440532013000'

export async function openFilledSepaWorld(): Promise<FilledSepaWorld> {
  await using opened = new AsyncDisposableStack()
  const base = opened.use(await openSepaWorld())
  const ownerUrl = new URL(base.pix.appUrl)
  ownerUrl.username = 'vintem_owner'
  const owner = connect(ownerUrl.href, { max: 2, transactionSeconds: 60 })
  opened.defer(() => owner.end({ timeout: 1 }))
  const ids: Record<string, string> = {}
  const account = openAccount(base)
  await receive(base, account, ids)
  await payOut(base, account, ids)
  await receiveOthers(account)
  // The last of all, in no statement yet.
  const open = await base.create(70)
  const notified = { ref: 'NOTIFIED', minor: 70, day: account.today(), text: 'rent' }
  await account.hand(notificationFile({ iban, id: 'N2', transfers: [notified] }))
  ids['open'] = open.payment.id
  await keepCopies({ owner })
  const stack = opened.move()
  return {
    base,
    owner,
    ids,
    verify: (only) => base.pix.verify(only),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

type Account = ReturnType<typeof openAccount>

/** The account as the bank has it: day by day. */
function openAccount(base: SepaWorld) {
  let held = 50_000
  let day = 0
  const today = () => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)
  const hand = async (bytes: Buffer) => {
    const imported = await base.hand(bytes)
    must(imported.state === 'IMPORTED' || undefined, JSON.stringify(imported))
  }
  return {
    today,
    hand,
    /** The day's statement. */
    async close(transfers: readonly Transfer[]): Promise<void> {
      const dated = transfers.map((each) => ({ day: today(), ...each }))
      await hand(statementFile({ iban, id: `S${day}`, opening: held, day: today(), transfers: dated }))
      held += transfers.reduce((sum, { minor, isDebit }) => sum + (isDebit ? -minor : minor), 0)
      day += 1
    },
  }
}

async function receive(base: SepaWorld, account: Account, ids: Record<string, string>): Promise<void> {
  const open = async (name: string, minor: number) => {
    const { payment } = await base.create(minor)
    ids[name] = payment.id
    return base.referenceOf(payment.id)
  }
  const [exact, accepted, waiting, recalled] = [
    await open('exact', 90_000),
    await open('accepted', 1_100),
    await open('waiting', 1_200),
    await open('recalled', 800),
  ]
  // Booked before the first statement, which has it in its opening balance.
  const earlier = { ref: 'EARLIER', minor: 40, day: '2025-12-31', text: 'rent' }
  await account.hand(notificationFile({ iban, id: 'N1', transfers: [earlier] }))
  await account.close([
    { ref: 'EXACT', minor: 90_000, structured: exact },
    { ref: 'NOBODY', minor: 500, text: 'rent' },
    { ref: 'FEE', minor: 3, isDebit: true },
  ])
  await account.close([
    { ref: 'ACCEPTED', minor: 1_100, text: accepted.slice(0, -1) },
    { ref: 'WAITING', minor: 1_200, text: waiting.slice(0, -1) },
    { ref: 'RECALLED', minor: 800, structured: recalled, txId: 'T1' },
    { ref: 'RECALL', minor: 800, isDebit: true, returned: 'FRAD', txId: 'T1' },
    { ref: 'UNCLEAR', minor: 9, isDebit: true, returned: 'FRAD', txId: 'T2' },
  ])
  const [first] = await listProposals(base.pix.core.sql)
  await decide(base.deps, { ...must(first, 'a proposal'), isPayments: true })
  await base.drain()
}

/** Dollars, which the books have, and francs, which they do not. */
async function receiveOthers(account: Account): Promise<void> {
  const day = account.today()
  const inCurrency = (bytes: Buffer, currency: string) =>
    Buffer.from(bytes.toString('utf8').replaceAll('EUR', currency))
  const dollars = [{ ref: 'DOLLARS', minor: 250, day, text: 'rent' }]
  const francs = [{ ref: 'FRANCS', minor: 60, day, text: 'rent' }]
  await account.hand(
    inCurrency(statementFile({ iban, id: 'SUSD', opening: 0, day, transfers: dollars }), 'USD'),
  )
  await account.hand(inCurrency(notificationFile({ iban, id: 'NCHF', transfers: francs }), 'CHF'))
}

async function payOut(base: SepaWorld, account: Account, ids: Record<string, string>): Promise<void> {
  const { core } = base.pix
  const sender = payoutDeps(core)
  const learn = async () => {
    await core.sql`update reconciliation set due_at = now() - interval '1 second'`
    await reconcilePayouts({ ...sender, connections: core.connections, periodMs: 1 })
  }
  const withdraw = async (name: string, minor: number): Promise<string> => {
    const id = await request(base, minor)
    await sendDueWithdrawals(sender)
    const [made] = await selectWithdrawalsById(core.sql, [id])
    ids[name] = id
    ids[`${name}Ref`] = must(made, 'it is there').reference
    return must(made, 'it is there').reference
  }
  const batch = async () => {
    const made = must(await makeBatch(core, { connection: base.account, by: 'a test' }), 'something waits')
    await takeFile(core.sql, { id: made.id, by: 'a test', write: async () => {} })
    return made
  }
  const [done, returned, refused] = [
    await withdraw('done', 2_000),
    await withdraw('returned', 3_000),
    await withdraw('refused', 400),
  ]
  const one = await batch()
  ids['batch'] = one.id
  await account.hand(
    reportFile({ messageId: one.messageId, rejected: [{ reference: refused, reason: 'AC04' }] }),
  )
  await account.close([
    { ref: 'DONE', minor: 2_000, isDebit: true, endToEndId: done },
    { ref: 'LEFT', minor: 3_000, isDebit: true, endToEndId: returned },
  ])
  await learn()
  await account.close([{ ref: 'BACK', minor: 3_000, endToEndId: returned, returned: 'AC01' }])
  await learn()
  await withdraw('batched', 600)
  ids['batch2'] = (await batch()).id
  await withdraw('queued', 700)
}

async function request(base: SepaWorld, minor: number): Promise<WithdrawalId> {
  const { core, merchant } = base.pix
  const rail = must(core.payoutRails.get('SEPA'), 'it pays out')
  const id = newId<'withdrawal'>()
  const request = { type: 'SEPA', amount: minor, currency: 'EUR', iban: to, beneficiary: 'Ana' } as const
  const verdict = await core.lane.submit(withdrawalKind(), {
    merchantId: merchant.id,
    mode: merchant.mode,
    id,
    request,
    requestedBy: newId<'api-key'>(),
    routing: rail.route({ mode: merchant.mode, merchantId: merchant.id, ...request }),
  })
  must(verdict.kind === 'created' || undefined, `the withdrawal was ${verdict.kind}`)
  return id
}
