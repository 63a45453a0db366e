import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { createTerminal, type Output } from '#/kernel/terminal.ts'
import { startReceiver } from '../../test/receiver.ts'
import type { SandboxFile } from './provision.ts'
import { curlsOf, inSeconds, methodCurlsOf, printWelcome } from './welcome.ts'

const sandbox: SandboxFile = {
  apiUrl: 'http://127.0.0.1:4000',
  checkoutBaseUrl: 'http://127.0.0.1:4001',
  partnerCheckoutBaseUrl: 'http://127.0.0.1:4002',
  dashboard: { url: 'http://localhost:4004', signInUrl: 'http://localhost:4004/sign-in#link=example' },
  apiKey: 'vtm_test_a1key',
  webhookSecret: 'whsec_c2VjcmV0',
  merchantId: '019aa4c1-7f3e-7c52-9d0b-52a1c7e04b11',
  chain: { rpcUrl: 'http://127.0.0.1:4021', chainId: 31337, usdt: '0x1', treasury: '0x2', faucet: '0x3' },
  simulators: {
    pixBank: { apiUrl: 'https://127.0.0.1:4010', controlUrl: 'http://127.0.0.1:4011' },
    acquirer: { apiUrl: 'http://127.0.0.1:4012', controlUrl: 'http://127.0.0.1:4012' },
    partnerWallet: { apiUrl: 'http://127.0.0.1:4013', controlUrl: 'http://127.0.0.1:4013' },
    sepaBank: { apiUrl: 'http://127.0.0.1:4014', controlUrl: 'http://127.0.0.1:4014' },
  },
}

function welcome(output: Omit<Output, 'write'>, env: Record<string, string>): string {
  let printed = ''
  const stdout = { ...output, write: (part: string) => (printed += part) }
  printWelcome(createTerminal({ stdout, stderr: stdout }, env), sandbox, {
    startedInMs: 3_449,
    version: '0.1.0',
  })
  return printed
}

test('the welcome shows the addresses, the key, the time it took, and what to type next', () => {
  const printed = welcome({}, {})
  for (const part of [
    'Vintem 0.1.0',
    'ready in 3.4 s',
    sandbox.apiUrl,
    sandbox.apiKey,
    sandbox.chain.rpcUrl,
    sandbox.simulators.pixBank.controlUrl,
    '"BRL"',
    'npm run demo',
  ]) {
    assert.ok(printed.includes(part), part)
  }
  assert.ok(!printed.includes(sandbox.webhookSecret), 'a secret that is not needed yet is not shown')
})

test('output to a pipe is ASCII without escapes, with the same words as in colour', () => {
  const plain = welcome({}, {})
  assert.match(plain, /^[\n\x20-\x7e]*$/)
  const coloured = welcome({ isTTY: true, getColorDepth: () => 8 }, { LANG: 'C' })
  assert.notEqual(coloured, plain)
  assert.equal(stripVTControlCharacters(coloured), plain)
})

test('every line fits into 80 columns', () => {
  for (const line of welcome({}, {}).split('\n')) assert.ok(line.length <= 80, line)
})

test('the calls, pasted into bash as they are printed, make the requests of a first payment', async () => {
  const id = '019aa4c1-0000-7000-8000-000000000001'
  await using server = await startReceiver(({ path }) => ({
    status: path === '/v1/payments' ? 201 : 200,
    body: path === '/v1/payments' ? `{"id":"${id}","mode":"SANDBOX"}` : `{"requested":"${path}"}`,
  }))
  const printed = welcome({}, {}).replaceAll(sandbox.apiUrl, server.origin)
  const pasted = printed
    .slice(printed.indexOf('  # 1.'), printed.indexOf('  By PIX'))
    .replace('sleep 3; ', '')
  const shell = spawn('bash', ['-e'], { stdio: ['pipe', 'pipe', 'pipe'] })
  shell.stdin.end(pasted)
  const [output, errors] = await Promise.all([text(shell.stdout), text(shell.stderr)])
  assert.equal(errors, '')
  const lines = [
    `{"id":"${id}","mode":"SANDBOX"}`,
    `{"requested":"/v1/sandbox/payments/${id}/pay"}`,
    `{"requested":"/v1/payments/${id}"}`,
    '{"requested":"/v1/wallets"}',
  ]
  assert.equal(output, `${lines.join('\n')}\n`)
  for (const { headers } of server.calls) assert.equal(headers['apikey'], sandbox.apiKey)
  const [creation, payment] = server.calls
  const body = JSON.parse(String(creation?.body)) as { readonly idempotencyKey: string }
  assert.match(body.idempotencyKey, /^\d+-\d+$/)
  assert.deepEqual(
    { ...body, idempotencyKey: '' },
    {
      amount: 1000,
      currency: 'USDT',
      paymentMethods: ['CRYPTO'],
      idempotencyKey: '',
      webhookUrl: `${server.origin}/sandbox/inbox`,
    },
  )
  assert.equal(creation?.headers['content-type'], 'application/json')
  assert.deepEqual(JSON.parse(String(payment?.body)), { scenario: 'exact' })
})

test('the call for PIX, pasted after the others, uses BRL and shows all but the image', async () => {
  const id = '019aa4c1-0000-7000-8000-000000000002'
  const answer = {
    id,
    mode: 'SANDBOX',
    pixCopyPaste: '0002',
    pixQrCode: 'data:image/png;base64,iVBORw==',
    status: 'X',
  }
  await using server = await startReceiver(() => ({ status: 201, body: JSON.stringify(answer) }))
  const shell = spawn('bash', ['-e'], { stdio: ['pipe', 'pipe', 'pipe'] })
  const [pix] = methodCurlsOf(sandbox)
  const command = pix?.command ?? ''
  shell.stdin.end(`KEY=${sandbox.apiKey}\nAPI=${server.origin}\n${command}\necho "$ID"`)
  const [output, errors] = await Promise.all([text(shell.stdout), text(shell.stderr)])
  assert.equal(errors, '')
  assert.equal(output, `${JSON.stringify({ ...answer, pixQrCode: 'data:image/png;base64,...' })}\n${id}\n`)
  const [creation] = server.calls
  const body = JSON.parse(String(creation?.body)) as Record<string, unknown>
  assert.deepEqual([body['amount'], body['currency'], body['paymentMethods']], [4990, 'BRL', ['PIX']])
})

test('there is a call for every method and for a checkout, each with the page of its other side', async () => {
  await using server = await startReceiver(() => ({ status: 201, body: '{"id":"x"}' }))
  const requests: Record<string, unknown>[] = []
  for (const { command } of methodCurlsOf(sandbox)) {
    const shell = spawn('bash', ['-e'], { stdio: ['pipe', 'ignore', 'pipe'] })
    shell.stdin.end(`KEY=${sandbox.apiKey}\nAPI=${server.origin}\n${command}`)
    assert.equal(await text(shell.stderr), '')
    const { idempotencyKey, webhookUrl, ...terms } = JSON.parse(String(server.calls.at(-1)?.body)) as Record<
      string,
      unknown
    >
    assert.match(String(idempotencyKey), /^\d+-\d+$/)
    assert.equal(webhookUrl, `${server.origin}/sandbox/inbox`)
    requests.push(terms)
  }
  assert.deepEqual(requests, [
    { amount: 4990, currency: 'BRL', paymentMethods: ['PIX'] },
    { amount: 1990, currency: 'EUR', paymentMethods: ['CREDIT_CARD'] },
    { amount: 1000, currency: 'USDT', paymentMethods: ['PARTNER_PAY'] },
    { amount: 4500, currency: 'EUR', paymentMethods: ['SEPA_TRANSFER'] },
    { amount: 2500, currency: 'BRL', checkout: 'default' },
  ])
  const { pixBank, acquirer, partnerWallet, sepaBank } = sandbox.simulators
  assert.deepEqual(
    methodCurlsOf(sandbox).map(({ page }) => page?.url),
    [pixBank.controlUrl, acquirer.controlUrl, partnerWallet.controlUrl, sepaBank.controlUrl, undefined],
  )
})

test('a start without its chain shows so under the sandbox’s name', () => {
  let printed = ''
  const stdout = { write: (part: string) => (printed += part) }
  const fault = 'The sandbox chain is not followed yet.'
  printWelcome(createTerminal({ stdout, stderr: stdout }, {}), sandbox, {
    startedInMs: 1,
    version: '0',
    fault,
  })
  assert.match(printed, /CRYPTO does not work yet\. The sandbox chain is not followed yet\./)
  assert.ok(!welcome({}, {}).includes('does not work'))
})

test('no call depends on a program that a machine may lack', () => {
  const all = [...curlsOf(sandbox), ...methodCurlsOf(sandbox)]
  const words = all.flatMap(({ command }) => command.match(/(?<=^|[|;(] ?)[a-z]+(?= )/gm) ?? [])
  assert.deepEqual(new Set(words), new Set(['curl', 'echo', 'cut', 'date', 'sleep', 'sed']))
})

test('a span is shown in seconds with one decimal', () => {
  assert.deepEqual([0, 49, 50, 999, 61_234].map(inSeconds), ['0.0 s', '0.0 s', '0.1 s', '1.0 s', '61.2 s'])
})
