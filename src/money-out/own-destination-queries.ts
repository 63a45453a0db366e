// The SQL of the destinations that are ours.
import { list, type Sql, type Tx } from '#/db/client.ts'

/** Those of the addresses (0x and 40 digits in lower case) that are ours on any chain. */
export async function selectOwnAddresses(
  sql: Sql | Tx,
  addresses: readonly string[],
): Promise<readonly string[]> {
  const rows = await sql<{ address: string }[]>`
    with asked as materialized (
      select decode(substr(text, 3), 'hex') as address from unnest(${list(addresses)}::text[]) as text
    )
    select '0x' || encode(asked.address, 'hex') as address
      from asked
     where exists (select from chain
                          join deposit_address as deposit
                            on deposit.chain = chain.key and deposit.address = asked.address)
        or exists (select from hot_wallet where hot_wallet.address = asked.address)
        or exists (select from chain where asked.address in (chain.treasury, chain.factory, chain.token))`
  return rows.map(({ address }) => address)
}

/** Those of the IBANs that are accounts of connections. */
export async function selectOwnIbans(sql: Sql | Tx, ibans: readonly string[]): Promise<readonly string[]> {
  const rows = await sql<{ iban: string }[]>`
    select distinct settings->>'iban' as iban from connection
     where method = 'SEPA_TRANSFER' and settings->>'iban' = any (${list(ibans)}::text[])`
  return rows.map(({ iban }) => iban)
}

/** Those of the PIX keys (in lower case) that are of connections. */
export async function selectOwnPixKeys(sql: Sql | Tx, keys: readonly string[]): Promise<readonly string[]> {
  const rows = await sql<{ key: string }[]>`
    select distinct lower(settings->>'pixKey') as key from connection
     where method in ('PIX', 'PIX_PAYOUT') and lower(settings->>'pixKey') = any (${list(keys)}::text[])`
  return rows.map(({ key }) => key)
}
