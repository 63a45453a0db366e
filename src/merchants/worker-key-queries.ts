// All SQL of the worker's public key.
import type { Sql, Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'

/** `SANDBOX`: a sandbox made the worker's key for itself, and `reset` removes it. */
export type KeyOrigin = 'OPERATOR' | 'SANDBOX'

export type PublicKeyRow = {
  readonly publicKey: Buffer
  readonly origin: KeyOrigin
  readonly mac: Buffer
}

export async function selectPublicKey(sql: Sql | Tx): Promise<PublicKeyRow | undefined> {
  const [row] = await sql<PublicKeyRow[]>`
    select public_key as "publicKey", origin, mac from worker_public_key where id = 1`
  return row
}

/** Inserts the key. False when there is one already. */
export async function insertPublicKey(tx: Tx, { publicKey, origin, mac }: PublicKeyRow): Promise<boolean> {
  const result = await tx`
    insert into worker_public_key (id, public_key, origin, mac, published_at)
    values (1, ${publicKey}, ${origin}, ${mac}, ${dueNow(tx)})
        on conflict (id) do nothing`
  return result.count === 1
}

/** Replaces the key that is there, if it is still this one. */
export async function updatePublicKey(
  tx: Tx,
  before: PublicKeyRow,
  { publicKey, origin, mac }: PublicKeyRow,
): Promise<boolean> {
  const result = await tx`
    update worker_public_key
       set public_key = ${publicKey}, origin = ${origin}, mac = ${mac}, published_at = ${dueNow(tx)}
     where id = 1 and public_key = ${before.publicKey} and mac = ${before.mac}`
  return result.count === 1
}
