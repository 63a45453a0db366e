// An operator who is a member of a merchant decides nothing alone about a bank's debit that may take back a credit of that merchant.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { newId, type ConnectionId, type MerchantId } from '#/kernel/id.ts'
import { systemClock } from '#/kernel/time.ts'
import { insertConnection } from '#/merchants/connection-queries.ts'
import { linkAccount } from '#/operator/accounts.ts'
import type { Operator } from '#/operator/deps.ts'
import { dropSignal } from '#/operator/parked.ts'
import { decideForeignAs, decideHeldAs, decideRecallAs } from '#/operator/statements.ts'
import { addMember } from '#/people/members.ts'
import { signalKeeper } from '#/settlement/inbox.ts'
import { makeLive, newMerchant, newStray, ok, openOperators } from './operator-world.ts'
import { type DashboardWorld, type Person } from './world.ts'

let dashboard: DashboardWorld
let ana: Person
let bea: Person
before(async () => {
  ;({ dashboard, ana, bea } = await openOperators())
  await makeLive(dashboard)
})
after(() => dashboard.close())

const reason = 'it is so'

async function anasMerchant(): Promise<MerchantId> {
  const merchantId = await newMerchant(bea)
  const by = { actor: { kind: 'OPERATOR', id: 'root@test' } } as const
  await addMember({ sql: dashboard.base.sql }, by, { merchantId, userId: ana.userId, role: 'OWNER' })
  return merchantId
}

const bank = 'a1-test' as ConnectionId
let bankDay = 0

type BankRow = {
  readonly reference?: string
  readonly credit?: boolean
  readonly minor?: bigint
  readonly kind: string
  readonly names?: readonly string[]
  readonly of?: MerchantId
  readonly like?: string
}

/** A movement on a bank account, as an import leaves it. Returns its name. */
async function bankEntry({ reference = newId(), kind, names = [], ...row }: BankRow): Promise<string> {
  const { credit = false, minor = 100n, of = null, like = null } = row
  const fact = {
    remittance: '',
    returned: { reason: 'FRAD' },
    ids: names.length === 0 ? {} : { txId: names[0] },
  }
  await dashboard.base.sql`
    insert into sepa_entry (connection, reference, part, credit, amount_minor, currency, booked_on, fact, kind, merchant_id,
                            payment_id, attempt_id, file_sha256, names, like_reference, like_part, created_at)
    values (${bank}, ${reference}, 0, ${credit}, ${minor}, 'USDT', '2030-01-01'::text::date + ${bankDay}::integer,
            ${JSON.stringify(fact)}::text::json, ${kind}, ${of}, ${of && newId()}, ${of && newId()}, ${Buffer.alloc(32)},
            array(select json_array_elements_text(${JSON.stringify(names)}::text::json)), ${like}, ${like === null ? null : 0}, now())`
  return reference
}

const kindOf = async (entry: string) => {
  const [row] = await dashboard.base.sql<{ kind: string }[]>`
    select kind from sepa_entry where connection = ${bank} and reference = ${entry}`
  return row?.kind
}

/** Decisions about a debit on a bank account, which only the command line has. Each makes what it decides about, and returns its name. */
const ofDebits: Readonly<
  Record<string, (ana: MerchantId, bea: MerchantId) => Promise<readonly [string, string?]>>
> = {
  'no recall, of a debit that names the credit of their merchant': async (mine) => {
    const name = newId()
    await bankEntry({ kind: 'PAID', credit: true, of: mine, names: [name] })
    return [await bankEntry({ kind: 'UNCLEAR', names: [name] })]
  },
  'no recall, of a debit that names credits of both': async (mine, others) => {
    const name = newId()
    for (const owner of [mine, others])
      await bankEntry({ kind: 'PAID', credit: true, of: owner, names: [name] })
    return [await bankEntry({ kind: 'UNCLEAR', names: [name] })]
  },
  'a recall of another merchant’s credit, of a debit that names theirs': async (mine, others) => {
    const name = newId()
    await bankEntry({ kind: 'PAID', credit: true, of: mine, names: [name] })
    const theirs = await bankEntry({ kind: 'PAID', credit: true, of: others })
    return [await bankEntry({ kind: 'UNCLEAR', names: [name] }), theirs]
  },
  'a recall of the credit of their merchant': async (mine) => {
    const theirs = await bankEntry({ kind: 'PAID', credit: true, of: mine })
    return [await bankEntry({ kind: 'UNCLEAR' }), theirs]
  },
  'no recall, of a debit that names no credit': async (mine) => {
    await bankEntry({ kind: 'PAID', credit: true, of: mine, minor: 150n })
    return [await bankEntry({ kind: 'UNCLEAR' })]
  },
  'no recall, of a debit that names money which was credited to their merchant out of suspense': async (
    mine,
  ) => {
    const id = await newStray(dashboard, 100n)
    const resolved = { resolution: 'CREDITED', merchantId: mine, reason }
    await ok(bea, 'POST', `suspense/${id}/resolve`, resolved)
    const [row] = await dashboard.base.sql<{ name: string }[]>`
      select provider_ref as name from unmatched where id = ${id}`
    const name = must(row?.name, 'it has a name')
    await bankEntry({ reference: name, kind: 'UNATTRIBUTED', credit: true })
    return [await bankEntry({ kind: 'UNCLEAR', names: [name] })]
  },
}

const here = (id: string): Operator => ({ by: { actor: { kind: 'OPERATOR', id } }, name: id })

/** Accounts of the command line: of Ana and Bea, and one of nobody known. */
async function accountsHere(): Promise<readonly [ana: Operator, bea: Operator, nobody: Operator]> {
  const { sql } = dashboard.base
  await linkAccount(sql, here('root@host'), { account: 'ana@bank', userId: ana.userId })
  await linkAccount(sql, here('root@host'), { account: 'bea@bank', userId: bea.userId })
  return [here('ana@bank'), here('bea@bank'), here('nobody@bank')]
}

for (const [name, debitOf] of Object.entries(ofDebits))
  test(`${name}: no member decides it, and an outsider does`, async () => {
    // Each has days of its own, so that the credits of the others are none of its.
    bankDay += 1000
    const { sql } = dashboard.base
    const [entry, of] = await debitOf(await anasMerchant(), await newMerchant(bea))
    const [member, outsider, nobody] = await accountsHere()
    const deps = { sql, keep: signalKeeper(systemClock) }
    const recall = { connection: bank, entry, reason, ...given({ of }) }
    for (const operator of [member, nobody])
      await assert.rejects(decideRecallAs(deps, operator, recall), { code: 'forbidden' }, operator.name)
    assert.equal(await kindOf(entry), 'UNCLEAR')
    assert.equal((await decideRecallAs(deps, outsider, recall)).kind, 'decided')
    assert.equal(await kindOf(entry), of === undefined ? 'OTHER' : 'RECALL')
  })

test('a debit that names no credit, and is larger than any of their merchant, is decided by a member', async () => {
  bankDay += 1000
  const { sql } = dashboard.base
  await bankEntry({ kind: 'PAID', credit: true, of: await anasMerchant(), minor: 99n })
  const [member] = await accountsHere()
  const recall = { connection: bank, entry: await bankEntry({ kind: 'UNCLEAR' }), reason }
  assert.equal(
    (await decideRecallAs({ sql, keep: signalKeeper(systemClock) }, member, recall)).kind,
    'decided',
  )
})

test('a held debit that would take back a credit of their merchant is not called the same as another one by a member', async () => {
  bankDay += 1000
  const { sql } = dashboard.base
  const name = newId()
  await bankEntry({ kind: 'PAID', credit: true, of: await anasMerchant(), names: [name] })
  const like = await bankEntry({ kind: 'OTHER' })
  const entry = await bankEntry({ kind: 'HELD', names: [name], like })
  const [member, outsider, nobody] = await accountsHere()
  const deps = { sql, keep: signalKeeper(systemClock) }
  const held = { connection: bank, entry, isSame: true, reason }
  for (const operator of [member, nobody])
    await assert.rejects(decideHeldAs(deps, operator, held), { code: 'forbidden' }, operator.name)
  assert.equal(await kindOf(entry), 'HELD')
  assert.equal((await decideHeldAs(deps, outsider, held)).kind, 'decided')
})

test('on a connection of their merchant’s own, a member drops no signal, and ends no money of another currency', async () => {
  const { sql } = dashboard.base
  const own = `a1-${newId()}` as ConnectionId
  const base = { mode: 'SANDBOX', method: 'SEPA_TRANSFER', provider: 'camt', settings: {} } as const
  const secrets = { sealed: null, sealedRefunds: null }
  await insertConnection(sql, { ...base, ...secrets, id: own, merchantId: await anasMerchant() })
  const [signal] = await sql<{ id: bigint }[]>`
    insert into inbox (method, connection, body, received_at, due_at, tries, parked, last_error)
    values ('SEPA_TRANSFER', ${own}, ${Buffer.from('x')}, now(), now(), 5, true, 'x') returning id`
  const drop = (operator: Operator) => dropSignal(sql, operator, signal?.id ?? 0n, reason)
  const id = newId<'sepa-foreign'>()
  await sql`
    insert into sepa_foreign (id, connection, currency, reference, credit, amount, booked_on, fact, file_sha256, created_at)
    values (${id}, ${own}, 'CHF', 'F1', true, '1.00', '2030-01-01', '{"remittance":"x"}', ${Buffer.alloc(32)}, now())`
  const end = (operator: Operator) => decideForeignAs(sql, operator, { id, reason })
  const [member, outsider, nobody] = await accountsHere()
  for (const act of [drop, end]) {
    for (const operator of [member, nobody])
      await assert.rejects(act(operator), { code: 'forbidden' }, operator.name)
    assert.notEqual(await act(outsider), undefined)
    assert.equal(await act(outsider), undefined, 'once')
  }
})
