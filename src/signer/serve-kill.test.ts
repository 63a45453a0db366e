import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseTransaction, recoverTransactionAddress, type TransactionSerialized } from 'viem'
import { must } from '#/kernel/check.ts'
import { sleep } from '#/kernel/time.ts'
import { count } from '../../test/counts.ts'
import { answers, makeSignerHome, type SignerHome } from '../../test/real-signer.ts'
import { transferSelector } from './calls.ts'
import { SignerError, type SignerClient } from './client.ts'
import { readMarkFile } from './journal-lines.ts'
import { openJournalKey } from './keys.ts'
import { sandboxPolicy } from './new-policy.ts'
import type { Address, Hex } from './shape.ts'
import type { Transaction } from './transaction.ts'

const at = (digit: string): Address => `0x${digit.repeat(40)}`
const [token, factory, implementation] = [at('1'), at('2'), at('3')]
const cap = 700n
/** Enough that the cap ends them, few enough that they collide. */
const nonces = 220

/** Two signers at once, each with a half of the kills. */
const kills = count({ quick: 3, soak: 600 })

function newHome(): SignerHome {
  return makeSignerHome((keys) => {
    const policy = sandboxPolicy({ chainId: 31_337n, token, factory, implementation, keys })
    return JSON.parse(JSON.stringify(policy).replace(`"${10n ** 27n}"`, `"${cap}"`)) as unknown
  })
}

/** One of the two payouts that compete for a nonce; the second also has a reference that competes for another nonce. */
function payout({ keys }: SignerHome, nonce: number, variant: number): Transaction {
  const to = at(variant === 0 ? 'd' : 'e')
  const amount = (BigInt(nonce) % 7n) + 1n + BigInt(variant)
  return {
    key: keys.hot,
    chainId: 31_337n,
    nonce: BigInt(nonce),
    to: token,
    value: 0n,
    data: `${transferSelector}${to.slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`,
    gas: 60_000n,
    fees: { gasPrice: BigInt(randomInt(1, 4)) },
    reference: variant === 0 ? `payout-${nonce}` : `other-${nonce >> 1}`,
  }
}

type Answered = { readonly tx: Transaction; readonly raw: Hex }

/** Sends requests, several at a time, until it is asked to stop. Forgets unanswered ones. */
async function keepRequesting(
  client: SignerClient,
  next: () => Transaction,
  answered: Answered[],
  stop: AbortSignal,
) {
  const refusals = new Set<string>()
  const requestLoop = async () => {
    while (!stop.aborted) {
      const refusal = await ask(client, next(), answered)
      if (refusal === undefined) continue
      refusals.add(refusal)
      if (refusal === 'unavailable') await sleep(15, stop)
    }
  }
  await Promise.all(Array.from({ length: 6 }, requestLoop))
  return refusals
}

/** Keeps what is answered. Returns the code of a refusal, or the other outcome. */
async function ask(client: SignerClient, tx: Transaction, answered: Answered[]): Promise<string | undefined> {
  try {
    const { raw } = await client.sign(tx)
    answered.push({ tx, raw })
    return undefined
  } catch (error) {
    assert.ok(error instanceof SignerError)
    return error.code ?? error.outcome
  }
}

/**
 * Simulates a power cut: drops a random part of what was not forced to disk, at most down to the last marked line, and leaves
 * half a line after it.
 */
function cutPower(home: SignerHome): void {
  const lines = join(home.folder, 'journal.jsonl')
  const key = openJournalKey(home.store)
  if (key === undefined) return
  const bytes = readFileSync(lines)
  const { place } = must(readMarkFile(readFileSync(join(home.folder, 'journal.mark')), key), 'a mark')
  let marked = 0
  for (let line = 0; line <= place.count; line++) marked = bytes.indexOf(0x0a, marked) + 1
  truncateSync(lines, marked + randomInt(bytes.length - marked + 1))
  if (randomInt(2) === 0) writeFileSync(lines, bytes.subarray(0, randomInt(200)), { flag: 'a' })
}

async function killAgainAndAgain(home: SignerHome) {
  const answered: Answered[] = []
  const refusals = new Set<string>()
  let whileStarting = 0
  for (let round = 0; round < kills; round++) {
    const signer = home.launch()
    // The first start makes the token.
    if (round === 0) await answers(signer, home.client)
    const client = home.client()
    const stop = new AbortController()
    const reach = Math.max(4, Math.ceil((nonces * (round + 1)) / kills))
    const requesting = keepRequesting(
      client,
      () => payout(home, randomInt(reach), randomInt(2)),
      answered,
      stop.signal,
    )
    if (randomInt(4) === 0) {
      whileStarting += 1
      await sleep(randomInt(300))
    } else {
      await answers(signer, home.client)
      await sleep(randomInt(120))
    }
    await signer.kill()
    stop.abort()
    for (const code of await requesting) refusals.add(code)
    client.close()
    if (randomInt(3) === 0) cutPower(home)
  }
  return { answered, refusals, whileStarting }
}

async function lawsHold(home: SignerHome, answered: readonly Answered[]): Promise<void> {
  const payloads = new Map<number, string>()
  const slots = new Map<string, number>()
  for (const { tx, raw } of answered) {
    const { nonce = 0, to, data } = parseTransaction(raw)
    const payload = `${to}/${data}`
    assert.equal(payloads.get(nonce) ?? payload, payload, 'a nonce has two payloads')
    payloads.set(nonce, payload)
    assert.equal(slots.get(tx.reference) ?? nonce, nonce, 'a reference has two nonces')
    slots.set(tx.reference, nonce)
  }
  const amounts = [...payloads.values()].map((payload) => BigInt(`0x${payload.slice(-64)}`))
  assert.ok(amounts.reduce((sum, amount) => sum + amount, 0n) <= cap, 'more than the cap in 24 hours')
  for (const { raw } of answered.filter((_, index) => index % 25 === 0)) {
    const signer = await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized })
    assert.equal(signer.toLowerCase(), home.keys.hot)
  }
}

test('killed at any moment, started again over whatever the disk has, a signer gives no nonce two payloads and no day more than its cap', async (t) => {
  const run = async () => {
    using home = newHome()
    const { answered, refusals, whileStarting } = await killAgainAndAgain(home)
    await using _ = await home.start()
    // On a busy machine the last of many waits long.
    const client = home.client({ timeoutMs: 120_000 })
    // Every earlier answer is repeated, byte for byte.
    for (const { tx, raw } of answered) assert.equal((await client.sign(tx)).raw, raw)
    // Continues until the cap ends it.
    const rest = Array.from({ length: nonces }, (_, nonce) => [
      payout(home, nonce, 0),
      payout(home, nonce, 1),
    ]).flat()
    const ends = await Promise.all(rest.map((tx) => ask(client, tx, answered)))
    for (const code of ends) if (code !== undefined) refusals.add(code)
    assert.ok(refusals.has('nonce_used') && refusals.has('daily_cap_exceeded'))
    // A reference stays bound, with any other nonce too.
    const { tx } = must(answered[0], 'something was answered')
    assert.equal(await ask(client, { ...tx, nonce: 10_000n }, answered), 'reference_used')
    client.close()
    await lawsHold(home, answered)
    return { answers: answered.length, refusals, whileStarting }
  }
  for (const { answers, refusals, whileStarting } of await Promise.all([run(), run()]))
    t.diagnostic(
      `${kills} kills (${whileStarting} during the start), ${answers} answers, refused for ${[...refusals].join(', ')}`,
    )
})
