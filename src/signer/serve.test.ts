import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { platform } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { recoverTransactionAddress } from 'viem'
import { must } from '#/kernel/check.ts'
import { sleep } from '#/kernel/time.ts'
import { eventually } from '../../test/eventually.ts'
import { answers, makeSignerHome, type SignerHome } from '../../test/real-signer.ts'
import { transferSelector } from './calls.ts'
import { createSignerClient, SignerError } from './client.ts'
import { sandboxPolicy } from './new-policy.ts'
import type { Address } from './shape.ts'
import type { Transaction } from './transaction.ts'

const at = (digit: string): Address => `0x${digit.repeat(40)}`
const [token, factory, implementation, friend] = [at('1'), at('2'), at('3'), at('d')]
const homes: SignerHome[] = []
after(() => {
  for (const home of homes) home[Symbol.dispose]()
})

function newHome(): SignerHome {
  const home = makeSignerHome((keys) =>
    sandboxPolicy({ chainId: 31_337n, token, factory, implementation, keys }),
  )
  homes.push(home)
  return home
}

let references = 0
function payout(home: SignerHome, nonce: bigint, amount = 5n): Transaction {
  references += 1
  return {
    key: home.keys.hot,
    chainId: 31_337n,
    nonce,
    to: token,
    value: 0n,
    data: `${transferSelector}${friend.slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`,
    gas: 60_000n,
    fees: { maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n },
    reference: `payout-${references}`,
  }
}

const onLinux = { skip: platform() === 'linux' ? false : 'there is no /proc' }

test('for a payout the signer returns the transaction, signed by the key, and the same bytes for every repetition', async () => {
  const home = newHome()
  const tx = payout(home, 0n)
  const answered = await (async () => {
    await using _ = await home.start()
    const client = home.client()
    const signed = await client.sign(tx)
    assert.deepEqual(await client.sign(tx), signed)
    const signer = await recoverTransactionAddress({ serializedTransaction: signed.raw as `0x02${string}` })
    assert.equal(signer.toLowerCase(), home.keys.hot)
    await assert.rejects(client.sign({ ...tx, data: payout(home, 0n, 6n).data }), {
      outcome: 'unknown',
      code: 'nonce_used',
    })
    await assert.rejects(client.sign(payout(home, 0n, 6n)), { outcome: 'refused', code: 'nonce_used' })
    await assert.rejects(client.sign({ ...payout(home, 1n), to: friend }), {
      outcome: 'refused',
      code: 'contract_not_allowed',
    })
    client.close()
    return signed
  })()
  await using _ = await home.start()
  const client = home.client()
  assert.deepEqual(await client.sign(tx), answered)
  await assert.rejects(client.sign(payout(home, 0n, 6n)), { outcome: 'refused', code: 'nonce_used' })
  client.close()
})

test('clients can query keys, purposes, chains and used caps', async () => {
  const home = newHome()
  await using _ = await home.start()
  const client = home.client()
  const { hot, treasury, gas } = home.keys
  const chainIds = [31_337n]
  assert.deepEqual(await client.addresses(), [
    { address: hot, purpose: 'hot', chainIds },
    { address: treasury, purpose: 'treasury', chainIds },
    { address: gas, purpose: 'gas', chainIds },
  ])
  await Promise.all([client.sign(payout(home, 3n, 40n)), client.sign(payout(home, 4n, 2n))])
  const [status, ...others] = await client.status()
  assert.deepEqual(status, {
    key: hot,
    chainId: 31_337n,
    highestNonce: 4n,
    maxFeePerGas: 5n * 10n ** 9n,
    caps: [{ what: token, spent: 42n, cap: 10n ** 27n, each: undefined }],
  })
  assert.deepEqual(
    others.map(({ key, highestNonce }) => [key, highestNonce]),
    [
      [treasury, undefined],
      [gas, undefined],
    ],
  )
  client.close()
})

test('many clients at once get their own answers', async () => {
  const home = newHome()
  await using _ = await home.start()
  const clients = Array.from({ length: 4 }, () => home.client())
  const requests = Array.from({ length: 200 }, (_, nonce) => payout(home, BigInt(nonce), BigInt(nonce) + 1n))
  const signed = await Promise.all(requests.map((tx, index) => must(clients[index % 4], 'a client').sign(tx)))
  assert.equal(new Set(signed.map(({ hash }) => hash)).size, 200)
  const again = await Promise.all(requests.map((tx) => must(clients[0], 'a client').sign(tx)))
  assert.deepEqual(again, signed)
  // Written together: far fewer forced writes than lines, and no line is missing.
  assert.equal(readFileSync(join(home.folder, 'journal.jsonl'), 'utf8').trim().split('\n').length, 201)
  for (const client of clients) client.close()
})

test('only the owner may access socket and files', async () => {
  const home = newHome()
  await using _ = await home.start()
  const modes = [home.folder, home.files.keys, home.files.socketPath, home.files.tokenFile].map(
    (path) => statSync(path).mode & 0o777,
  )
  assert.deepEqual(modes, [0o700, 0o700, 0o600, 0o600])
  for (const name of readdirSync(home.folder)) {
    const about = statSync(join(home.folder, name))
    if (!about.isDirectory()) assert.equal(about.mode & 0o077, 0, name)
  }
})

test('the signer has no TCP or UDP socket', onLinux, async () => {
  const home = newHome()
  await using signer = await home.start()
  const client = home.client()
  await client.sign(payout(home, 0n))
  // A debugger would open one.
  signer.process.kill('SIGUSR1')
  await client.sign(payout(home, 1n))
  await sleep(100)
  const tables = ['tcp', 'tcp6', 'udp', 'udp6'].map((name) =>
    readFileSync(`/proc/${signer.pid}/net/${name}`, 'utf8'),
  )
  const inodes = new Set(
    tables.flatMap((table) => table.split('\n').slice(1)).map((line) => line.trim().split(/\s+/)[9]),
  )
  assert.deepEqual(
    socketsOf(signer.pid).filter((inode) => inodes.has(inode)),
    [],
  )
  assert.ok(socketsOf(signer.pid).length >= 2)
  // A check of the check: a socket of our own is found this way.
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const listed = readFileSync('/proc/self/net/tcp', 'utf8')
  assert.ok(socketsOf(process.pid).some((inode) => listed.includes(` ${inode} `)))
  server.close()
  client.close()
})

function socketsOf(pid: number): readonly string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1] ?? []
    } catch {
      return []
    }
  })
}

test(
  'no key and no passphrase is in the signer’s environment, arguments, output or journal',
  onLinux,
  async () => {
    const home = newHome()
    await using signer = await home.start()
    const client = home.client()
    await client.sign(payout(home, 0n))
    await assert.rejects(client.sign({ ...payout(home, 1n), to: friend }))
    await eventually('the refusal is logged', () => home.output().includes('"refused"'))
    const places = {
      environment: readFileSync(`/proc/${signer.pid}/environ`, 'latin1'),
      arguments: readFileSync(`/proc/${signer.pid}/cmdline`, 'latin1'),
      output: home.output(),
      journal: readFileSync(join(home.folder, 'journal.jsonl'), 'latin1'),
    }
    const passphrase = readFileSync(home.files.passphraseFile, 'latin1').trim()
    for (const secret of [...Object.values(home.secrets), Buffer.from(passphrase)])
      for (const text of textsOf(secret))
        for (const [place, content] of Object.entries(places))
          assert.equal(content.includes(text), false, place)
    assert.match(places.output, /"signed"/)
    assert.match(places.output, /"refused"/)
    assert.match(places.arguments, /runSigner/)
    client.close()
  },
)

/** Whole, and in pieces as a log line might cut it. */
function textsOf(secret: Buffer): readonly string[] {
  const forms = [
    secret.toString('hex'),
    secret.toString('hex').toUpperCase(),
    secret.toString('base64').replace(/=+$/, ''),
    secret.toString('base64url'),
    secret.toString('latin1'),
    BigInt(`0x${secret.toString('hex')}`).toString(),
  ]
  return forms.flatMap((form) => [form, form.slice(0, 16), form.slice(-16)])
}

test('a client with a wrong token gets nothing', async () => {
  const home = newHome()
  await using _ = await home.start()
  const stranger = home.client({ token: 'x'.repeat(43) })
  await assert.rejects(stranger.sign(payout(home, 0n)), { outcome: 'unavailable', message: /token/ })
  await assert.rejects(stranger.addresses(), { outcome: 'unavailable' })
  for (const words of [
    '{"id":1,"op":"addresses"}\n',
    '{"hello":1}\n{"id":1,"op":"addresses"}\n',
    '{"hello":1,"token":"xxxxxxxxxxxxxxxxxxxxx"}\n{"id":1,"op":"addresses"}\n',
    'x'.repeat(2_000),
    'GET / HTTP/1.1\r\n\r\n',
  ])
    assert.doesNotMatch(await answerTo(home, words), /addresses|0x/)
})

/** What the signer answers to these bytes before it ends the connection. */
async function answerTo(home: SignerHome, words: string): Promise<string> {
  const socket = connect(home.files.socketPath)
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk)).on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(words)
  await closed
  return Buffer.concat(received).toString()
}

test('invalid input gets an error or ends the connection, and the next client is served', async () => {
  const home = newHome()
  await using _ = await home.start()
  const hello = `{"hello":1,"token":${JSON.stringify(readFileSync(home.files.tokenFile, 'utf8').trim())}}\n`
  const welcome = '{"welcome":true}\n'
  for (const nonsense of ['\n', 'x\n', '{"id":-1,"op":"status"}\n', 'x'.repeat(200_000)])
    assert.equal(await answerTo(home, hello + nonsense), welcome)
  const wrong = { ...payout(home, 0n), fees: { gasPrice: -1n } }
  const client = home.client()
  await assert.rejects(client.sign(wrong), { outcome: 'refused', code: 'bad_request', message: /gasPrice/ })
  await assert.rejects(client.sign({ ...payout(home, 0n), reference: 'with a blank' }), {
    code: 'bad_request',
  })
  await client.sign(payout(home, 0n))
  client.close()
})

test('a client that leaves without its answer changes nothing: the next one gets it', async () => {
  const home = newHome()
  await using _ = await home.start()
  const requests = Array.from({ length: 30 }, (_, nonce) => payout(home, BigInt(nonce)))
  const leaver = home.client()
  const answers = requests.map((tx) => leaver.sign(tx))
  await leaver.addresses()
  leaver.close()
  await Promise.allSettled(answers)
  const client = home.client()
  await Promise.all(requests.map((tx) => client.sign(tx)))
  client.close()
})

test('a socket that a killed signer left is replaced; one with a listening process is not', async () => {
  const home = newHome()
  const first = await home.start()
  const second = home.launch()
  assert.equal(await second.gone, 1)
  assert.match(home.output(), /A signer already runs/)
  await first.kill()
  statSync(home.files.socketPath)
  await using _ = await home.start()
  const client = home.client()
  await client.sign(payout(home, 0n))
  client.close()
})

test('of many that start at once over the same stale files, one answers', async () => {
  const home = newHome()
  await (await home.start()).kill()
  const started = Array.from({ length: 3 }, () => home.launch())
  await Promise.any(started.map((signer) => answers(signer, home.client)))
  const living = () => started.filter(({ process }) => process.exitCode === null)
  const client = home.client()
  for (let nonce = 0n; living().length > 1; nonce++) {
    await client.sign(payout(home, nonce))
    await sleep(20)
  }
  await client.sign(payout(home, 1_000_000n))
  assert.equal(living().length, 1)
  client.close()
  for (const signer of started) await signer.kill()
})

test('it ends in order when it is asked to stop, and when its parent’s end of the pipe is closed', async () => {
  const home = newHome()
  for (const end of [
    (child: Awaited<ReturnType<SignerHome['start']>>) => void child.process.kill('SIGTERM'),
    (child: Awaited<ReturnType<SignerHome['start']>>) => void child.process.stdin?.destroy(),
  ]) {
    await using signer = await home.start()
    const client = home.client()
    const last = client.sign(payout(home, BigInt(references)))
    await client.addresses()
    end(signer)
    assert.equal(await signer.gone, 0)
    await last
    await assert.rejects(client.addresses(), { outcome: 'unavailable' })
    assert.deepEqual(
      readdirSync(home.folder).filter((name) => /sock|lock/.test(name)),
      [],
    )
  }
})

test('a fault of its files is reported in one line, and nothing is served', async () => {
  const home = newHome()
  const { policyFile, passphraseFile, tokenFile } = home.files
  const policy = readFileSync(policyFile, 'utf8')
  writeFileSync(policyFile, policy.replace('"hot"', '"cold"'))
  assert.equal(await home.launch().gone, 1)
  assert.match(home.output(), /purpose is none of hot, treasury, gas/)
  const swapped = policy
    .replaceAll(home.keys.hot, 'HOT')
    .replaceAll(home.keys.gas, home.keys.hot)
    .replaceAll('HOT', home.keys.gas)
  writeFileSync(policyFile, swapped)
  assert.equal(await home.launch().gone, 1)
  assert.match(home.output(), /was made as a gas key|was made as a hot key/)
  writeFileSync(policyFile, policy)
  chmodSync(passphraseFile, 0o644)
  assert.equal(await home.launch().gone, 1)
  assert.match(home.output(), /Others may read or write .*passphrase/)
  chmodSync(passphraseFile, 0o600)
  writeFileSync(tokenFile, 'short\n', { mode: 0o600 })
  assert.equal(await home.launch().gone, 1)
  assert.match(home.output(), /token holds less than 16 bytes/)
})

test('without a signer the client reports that; when a signer stops answering, the outcome is unknown', async () => {
  const home = newHome()
  const nowhere = createSignerClient({
    socketPath: home.files.socketPath,
    token: 'x'.repeat(43),
    timeoutMs: 200,
  })
  await assert.rejects(
    nowhere.sign(payout(home, 0n)),
    (error) => error instanceof SignerError && error.outcome === 'unavailable',
  )
  const replies = ['{"welcome":true}\n', 'nonsense\n', '']
  const mute = createServer((socket) => {
    const reply = replies.shift()
    socket.on('error', () => {})
    if (reply !== undefined) socket.write(reply)
  }).listen(home.files.socketPath)
  await once(mute, 'listening')
  await assert.rejects(nowhere.sign(payout(home, 0n)), { outcome: 'unknown' })
  await assert.rejects(nowhere.sign(payout(home, 0n)), { outcome: 'unavailable' })
  await assert.rejects(nowhere.sign(payout(home, 0n)), { outcome: 'unavailable' })
  mute.close()
})

test('killed with requests under way, it leaves them unanswered, and a new one answers them', async () => {
  const home = newHome()
  const first = await home.start()
  const client = home.client()
  const requests = Array.from({ length: 300 }, (_, nonce) => payout(home, BigInt(nonce)))
  await client.addresses()
  const results = requests.map((tx) =>
    client.sign(tx).then(
      ({ raw }) => raw,
      (error: SignerError) => error.outcome,
    ),
  )
  await first.kill()
  const outcomes = await Promise.all(results)
  assert.ok(outcomes.includes('unknown'))
  await using _ = await home.start()
  const again = await Promise.all(requests.map((tx) => client.sign(tx)))
  for (const [index, outcome] of outcomes.entries())
    if (outcome.startsWith('0x')) assert.equal(again[index]?.raw, outcome)
  client.close()
})
