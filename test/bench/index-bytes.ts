// `./vintem dev test/bench/index-bytes.ts`: the bytes that each index of payments costs a charge. 200,000 charges of ten merchants are
// created, opened and paid, in batches that take turns as in service, and the sizes are read from the database.
import { connect, type Sql } from '#/db/client.ts'
import { createMetadataFiller } from '#/finding/fill.ts'
import { declareMetadataKeys } from '#/finding/metadata-key.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { testDatabase } from '../postgres.ts'

const charges = 200_000
const batch = 2_000
const merchants = Array.from({ length: 10 }, () => newId() as MerchantId)

await using database = await testDatabase()
const sql = connect(database.ownerUrl, { max: 2, transactionSeconds: 120 })
for (const id of merchants)
  await sql`insert into merchant (id, mode, name, webhook_secret, created_at) values (${id}, 'LIVE', 'Ana', '', now())`
const charge = `'{"amount":1990,"currency":"BRL","paymentMethods":["PIX"]'`
for (let from = 1; from <= charges; from += batch) {
  await create(from)
  if (from > batch) await pay(from - batch)
}
await pay(charges - batch + 1)
await sql.unsafe('vacuum payment')
for (const id of merchants) await declareMetadataKeys(sql, id, ['orderId'])
const filler = createMetadataFiller({ sql, log: silentLog, batch: 10_000, settledMs: 0 })
while ((await filler.once()) > 0);
await report(sql)
await sql.end()

/** A charge each 7 ms. Every one has an e-mail address, a tax id and an order; amounts are of a thousand prices. */
async function create(from: number): Promise<void> {
  await sql.unsafe(`
    insert into payment (merchant_id, id, idempotency_key, fingerprint, request, status, amount_minor, currency, methods, method,
                         created_at, expires_at)
    select ('{${merchants.join(',')}}'::uuid[])[1 + n % 10],
           (lpad(to_hex(1790000000000 + n * 7), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
           'order-' || n, sha256(n::text::bytea),
           (${charge} || ',"customerEmail":"customer.' || n % 50000 || '@example.com","customerTaxId":"'
             || lpad((n % 50000)::text, 11, '0') || '","metadata":{"orderId":"order-' || n || '"}}')::json,
           'PENDING', 1990 + 10 * (hashtext(n::text) & 1023), 'BRL', '{PIX}', 'PIX', to_timestamp(1790000000 + n * 0.007),
           to_timestamp(1790003600 + n * 0.007)
      from generate_series(${from}, ${from + batch - 1}) as n`)
}

/** Two states on: opened, and paid; one in fifty with an exception. */
async function pay(from: number): Promise<void> {
  const rows = `idempotency_key in (select 'order-' || n from generate_series(${from}, ${from + batch - 1}) as n)`
  const merchant = `merchant_id = any ('{${merchants.join(',')}}')`
  await sql.unsafe(`update payment set status = 'WAITING_PAYMENT', version = 2 where ${merchant} and ${rows}`)
  await sql.unsafe(`
    update payment set status = 'PAID', received_minor = amount_minor, version = 3,
           exceptions = case when hashtext(idempotency_key) % 50 = 0 then '{OVERPAID}'::text[] else '{}' end
     where ${merchant} and ${rows}`)
}

async function report(of: Sql): Promise<void> {
  const rows = await of<{ name: string; before: number }[]>`
    select relname as name, pg_relation_size(oid)::float8 / ${charges}::float8 as before
      from pg_class
     where oid in (select indexrelid from pg_index where indrelid in ('payment'::regclass, 'metadata_value'::regclass))
        or oid in ('payment'::regclass, 'metadata_value'::regclass)
     order by relname`
  for (const { name } of rows) if (name.startsWith('payment_')) await of.unsafe(`reindex index ${name}`)
  console.log('| relation | bytes for each charge, in service | rebuilt |\n|---|--:|--:|')
  for (const { name, before } of rows) {
    const [again] = await of<
      { bytes: number }[]
    >`select pg_relation_size(${name}::regclass)::float8 / ${charges}::float8 as bytes`
    console.log(`| ${name} | ${before.toFixed(1)} | ${again?.bytes.toFixed(1)} |`)
  }
}
