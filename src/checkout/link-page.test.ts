import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { newId, type ApiKeyId } from '#/kernel/id.ts'
import { archive, makeLink } from '#/payment-links/create.ts'
import type { LinkRequest, PaymentLink } from '#/payment-links/link.ts'
import { useLink } from '#/payment-links/pay.ts'
import { createPaymentCreator } from '#/payments/create.ts'
import { listPayments } from '#/payments/queries.ts'
import { merchantName, openCheckoutWorld, type CheckoutWorld } from '../../test/checkout-world.ts'
import { pages } from '../../test/page-hosts.ts'
import { textOfQr } from '../../test/qr-path.ts'

let world: CheckoutWorld
before(async () => {
  world = await openCheckoutWorld()
})
after(() => world[Symbol.asyncDispose]())

const terms = { name: 'Aula de <b>violão</b>', currency: 'BRL', checkout: 'default', expiresIn: 3_600 }

async function newLink(more: Partial<LinkRequest> = { amount: 12_050 }): Promise<PaymentLink> {
  const made = await makeLink(
    world.sql,
    { ...pages, cell: 't1' },
    {
      merchant: { id: world.merchantId, mode: 'SANDBOX' },
      request: { ...terms, ...more },
      currency: 'BRL',
      keyId: newId<'api-key'>(),
    },
  )
  return must('link' in made ? made.link : undefined, 'the link is made')
}

const pathOf = (link: PaymentLink) => `/l/${link.token}`
const onceIn = (html: string) => must(/name="once" value="([^"]+)"/.exec(html)?.[1], 'the form has its name')
const send = (link: PaymentLink, fields: Readonly<Record<string, string>>, headers = {}) =>
  world.post(pathOf(link), fields, headers)
const paymentsOf = async (link: PaymentLink) => {
  const all = await listPayments(world.sql, world.merchantId, { limit: 1_000 })
  return all.filter(({ linkId }) => linkId === link.id)
}

test('opening a link a hundred times makes no payment; its form makes one, however often it is sent', async () => {
  const link = await newLink()
  const before = await everyRow()
  const opened = await Promise.all(Array.from({ length: 100 }, () => world.get(pathOf(link))))
  assert.deepEqual([...new Set(opened.map(({ status }) => status))], [200])
  const others = [`${pathOf(link)}/qr.svg`, `${pathOf(link)}?utm_source=x`]
  for (const path of others) assert.equal((await world.get(path)).status, 200)
  assert.equal((await fetch(`${world.url}${pathOf(link)}`, { method: 'HEAD' })).status, 200)
  assert.deepEqual(await everyRow(), before, 'no table has another row')
  assert.deepEqual(await paymentsOf(link), [])
  const html = await must(opened[0], 'a page').text()
  assert.match(html, /Aula de &lt;b&gt;violão&lt;\/b&gt;/)
  assert.ok(html.includes(merchantName.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')))
  const once = onceIn(html)
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(link, { once })))
  const [payment, ...more] = await paymentsOf(link)
  assert.equal(more.length, 0)
  assert.equal(payment?.amountMinor, 12_050n)
  assert.equal(payment?.request.description, terms.name)
  for (const answer of answers)
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, payment?.page?.url])
})

test('fifty payers at once, at two processes, never get more than the limit', async () => {
  const link = await newLink({ amount: 500, usesMax: 7 })
  const other = createPaymentCreator(world.creatorOptions)
  const uses = await Promise.all([
    ...Array.from({ length: 25 }, () => send(link, { once: newOnce() }).then(({ status }) => status)),
    ...Array.from({ length: 25 }, () =>
      useLink(other, link, { once: newOnce() }).then(
        () => 303,
        () => 409,
      ),
    ),
  ])
  await other.close()
  assert.equal(uses.filter((status) => status === 303).length, 7)
  assert.equal(uses.filter((status) => status === 409).length, 43)
  assert.equal((await paymentsOf(link)).length, 7)
  const page = await world.get(pathOf(link), { 'accept-language': 'en' })
  assert.match(await page.text(), /Used up/)
})

test('a form that is sent several times in the race takes one use, and every copy leads to its payment', async () => {
  const link = await newLink({ amount: 500, usesMax: 10 })
  const forms = Array.from({ length: 10 }, newOnce)
  const answers = await Promise.all([...forms, ...forms, ...forms].map((once) => send(link, { once })))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [303])
  assert.equal(new Set(answers.map(({ headers }) => headers.get('location'))).size, 10)
  assert.equal((await paymentsOf(link)).length, 10)
  assert.equal((await send(link, { once: newOnce() })).status, 409)
})

test('a copy of a form takes no use from a payer who comes with it', async () => {
  const link = await newLink({ amount: 500, usesMax: 2 })
  const creator = createPaymentCreator(world.creatorOptions)
  // In the order in which a batch takes them: the copy is first.
  const [first, second] = ['A'.repeat(22), 'B'.repeat(22)] as const
  await useLink(creator, link, { once: first })
  const made = await Promise.all([first, second].map((once) => useLink(creator, link, { once })))
  await creator.close()
  assert.equal(new Set(made.map(({ id }) => id)).size, 2)
  assert.equal((await send(link, { once: newOnce() })).status, 409)
})

test('a payer cannot choose the amount of a link that has one', async () => {
  const link = await newLink({ amount: 12_050 })
  assert.equal((await send(link, { once: newOnce(), amount: '0,01' })).status, 303)
  assert.deepEqual(
    (await paymentsOf(link)).map(({ amountMinor }) => amountMinor),
    [12_050n],
  )
})

test('a payment that ends without money gives its use back; one that is PAID keeps it', async () => {
  const link = await newLink({ amount: 500, usesMax: 1 })
  const once = newOnce()
  assert.equal((await send(link, { once })).status, 303)
  assert.equal((await send(link, { once: newOnce() })).status, 409)
  assert.equal((await send(link, { once })).status, 303, 'the same form again')
  const [payment] = await paymentsOf(link)
  await world.change(must(payment, 'the payment'), { status: 'EXPIRED' })
  assert.equal((await send(link, { once: newOnce() })).status, 303)
  const paid = (await paymentsOf(link)).find(({ status }) => status !== 'EXPIRED')
  await world.change(must(paid, 'the second payment'), { status: 'PAID' })
  assert.equal((await send(link, { once: newOnce() })).status, 409)
})

test('where the payer chooses, only amounts between the least and the most make a payment', async () => {
  const link = await newLink({ minAmount: 1_000, maxAmount: 500_000 })
  for (const amount of ['', '9,99', '5000,01', 'dez', '1e3']) {
    const refused = await send(link, { once: newOnce(), amount }, { 'accept-language': 'pt-BR' })
    assert.equal(refused.status, 422, amount)
    assert.match(
      await refused.text(),
      /aria-invalid="true".*Digite um valor de R\$\s10,00 a R\$\s5\.000,00\./s,
    )
  }
  assert.deepEqual(await paymentsOf(link), [])
  // The least and the most themselves are accepted.
  for (const amount of ['R$ 1.234,50', '10,00', '5.000,00'])
    assert.equal((await send(link, { once: newOnce(), amount })).status, 303, amount)
  assert.deepEqual(
    (await paymentsOf(link)).map(({ amountMinor }) => amountMinor).toSorted((a, b) => Number(a - b)),
    [1_000n, 123_450n, 500_000n],
  )
})

test('an archived or expired link makes no payment, and says so', async () => {
  const archived = await newLink()
  await archive(world.sql, archived, newId() as ApiKeyId)
  const expired = await newLink({ amount: 500, expiresAt: new Date(Date.now() + 86_400_000).toISOString() })
  await world.sql`update payment_link set expires_at = statement_timestamp() - interval '1 second' where id = ${expired.id}`
  for (const link of [archived, expired]) {
    const page = await world.get(pathOf(link), { 'accept-language': 'en' })
    assert.match(await page.text(), /This link no longer accepts payments/)
    assert.equal((await send(link, { once: newOnce() })).status, 409)
    assert.deepEqual(await paymentsOf(link), [])
  }
})

test('a link expires by the database’s clock, whatever that of the process says', async () => {
  const [clock] = await world.sql<{ later: Date }[]>`select clock_timestamp() + interval '1 hour' as later`
  const later = must(clock, 'the database has a clock').later.toISOString()
  const [open, over] = [
    await newLink({ amount: 500, expiresAt: later }),
    await newLink({ amount: 500, expiresAt: later }),
  ]
  await world.sql`update payment_link set expires_at = statement_timestamp() - interval '1 second' where id = ${over.id}`
  for (const days of [-3, 3]) {
    const wrong = { now: () => new Date(Date.now() + days * 86_400_000) }
    const creator = createPaymentCreator({ ...world.creatorOptions, clock: wrong })
    assert.equal((await useLink(creator, open, { once: newOnce() })).linkId, open.id, `${days} days wrong`)
    await assert.rejects(useLink(creator, over, { once: newOnce() }), { code: 'invalid_state' })
    await creator.close()
  }
})

test('a form of another site makes no payment', async () => {
  const link = await newLink()
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }])
    assert.equal((await send(link, { once: newOnce() }, headers)).status, 403)
  assert.deepEqual(await paymentsOf(link), [])
})

test('one network makes only a few payments a minute', async () => {
  await using strict = await openCheckoutWorld({ linkLimit: { perMinute: 1, burst: 2 } })
  const before = world
  world = strict
  try {
    const link = await newLink()
    const statuses: number[] = []
    for (let nth = 0; nth < 4; nth += 1) statuses.push((await send(link, { once: newOnce() })).status)
    assert.deepEqual(statuses, [303, 303, 429, 429])
    assert.equal((await paymentsOf(link)).length, 2)
  } finally {
    world = before
  }
})

test('the QR code of a link is an SVG that a camera reads as its address, and an unknown link is 404', async () => {
  const link = await newLink()
  const code = await world.get(`${pathOf(link)}/qr.svg`)
  assert.deepEqual([code.status, code.headers.get('content-type')], [200, 'image/svg+xml'])
  const svg = await code.text()
  const [, size = '', path = ''] =
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 (\d+) \1".*<path d="(M[^"]+)"/.exec(svg) ??
    []
  assert.equal(textOfQr({ size: Number(size), path }), link.url)
  const unknown = await world.get(`/l/t1${'A'.repeat(32)}`, { 'accept-language': 'en' })
  assert.equal(unknown.status, 404)
  assert.match(await unknown.text(), /Link not found/)
})

/** How many rows each table has. */
async function everyRow(): Promise<Readonly<Record<string, unknown>>> {
  const tables = await world.sql<{ name: string }[]>`
    select relname as name from pg_class
     where relkind = 'r' and relnamespace = current_schema()::regnamespace and has_table_privilege(oid, 'select') order by 1`
  const counts = tables.map(
    ({ name }) => `select '${name}' as name, count(*)::integer as rows from "${name}"`,
  )
  const rows = await world.sql.unsafe<{ name: string; rows: number }[]>(counts.join(' union all '))
  return Object.fromEntries(rows.map(({ name, rows: count }) => [name, count]))
}

function newOnce(): string {
  return Buffer.from(newId().replaceAll('-', ''), 'hex').toString('base64url')
}
