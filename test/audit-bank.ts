// What waits for a person on a bank account, made by hand, for the tests of commands.
import { randomBytes, randomInt } from 'node:crypto'
import { composeIBAN } from 'ibantools'
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import { newWithdrawal, type AuditWorld } from './audit-world.ts'

/** An account number that no other test has. */
export function newIban(): string {
  const bban = String(randomInt(1e9, 1e10)).repeat(2).slice(0, 18)
  return must(composeIBAN({ countryCode: 'DE', bban }), 'an IBAN')
}

/** A transfer whose reference is almost one of ours. Returns the connection and its name. */
export async function insertTypo(
  { core, merchantId }: AuditWorld,
  connection: string,
): Promise<readonly [string, string]> {
  const fact = { remittance: 'x', quoted: 'RF18539007547034' }
  await core.sql`
    insert into sepa_entry (connection, reference, part, credit, amount_minor, currency, booked_on, fact, kind, merchant_id,
                            payment_id, attempt_id, file_sha256, created_at)
    values (${connection}, 'E1', 0, true, 100, 'EUR', '2026-01-02', ${JSON.stringify(fact)}::text::json, 'PROPOSED',
            ${merchantId}, ${newId()}, ${newId()}, ${randomBytes(32)}, now())`
  return [connection, 'E1']
}

/** A debit that takes back a credit, and does not say which. Returns the connection, its name, and that of the credit. */
export async function insertRecall(
  { core }: AuditWorld,
  connection: string,
): Promise<readonly [string, string, string]> {
  await core.sql`
    insert into sepa_entry (connection, reference, part, credit, amount_minor, currency, booked_on, fact, kind, file_sha256,
                            created_at)
    select ${connection}, reference, 0, credit, 100, 'EUR', '2026-01-02', '{"remittance":"x"}', kind, ${randomBytes(32)}, now()
      from (values ('C1', true, 'UNATTRIBUTED'), ('D1', false, 'UNCLEAR')) as new (reference, credit, kind)`
  return [connection, 'D1', 'C1']
}

/** A movement that is held, because another one of no statement has its name. Returns the connection and its name. */
export async function insertHeld(
  { core }: AuditWorld,
  connection: string,
): Promise<readonly [string, string]> {
  await core.sql`
    insert into sepa_entry (connection, reference, part, credit, amount_minor, currency, booked_on, fact, kind, file_sha256,
                            like_reference, like_part, created_at)
    select ${connection}, reference, 0, false, 100, 'EUR', '2026-01-02', '{"remittance":"x"}', kind, ${randomBytes(32)}, like_name,
           case when like_name is null then null else 0 end, now()
      from (values ('H1', 'OTHER', null), ('H1~2', 'HELD', 'H1')) as new (reference, kind, like_name)`
  return [connection, 'H1~2']
}

/** Money in a currency that the books do not have. Returns its id. */
export async function insertForeign({ core }: AuditWorld, connection: string): Promise<string> {
  const id = newId()
  await core.sql`
    insert into sepa_foreign (id, connection, currency, reference, credit, amount, booked_on, fact, file_sha256, created_at)
    values (${id}, ${connection}, 'CHF', 'F1', true, '1.00', '2026-01-02', '{"remittance":"x"}', ${randomBytes(32)}, now())`
  return id
}

/** A payout that waits for a file. Returns the connection. */
export async function insertQueued(world: AuditWorld, connection: string): Promise<string> {
  await world.core.sql`
    insert into sepa_payout (reference, connection, payout_id, merchant_id, amount_minor, iban, beneficiary, state, created_at,
                             changed_at)
    values (${newId().replaceAll('-', '')}, ${connection}, ${await newWithdrawal(world)}, ${world.merchantId}, 100,
            'DE89370400440532013000', 'Ana', 'WAITING', now(), now())`
  return connection
}
