import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkUrl, guardedLookup, isAddressAllowed, type GuardPolicy } from './guard.ts'

const live: GuardPolicy = { allowHttp: false, allowLoopback: false }
const sandbox: GuardPolicy = { allowHttp: true, allowLoopback: true }
const plain: GuardPolicy = { allowHttp: true, allowLoopback: false }

/** The verdict of each policy on a URL: ok, or the code of the fault. */
function verdicts(url: string) {
  const codeOf = (policy: GuardPolicy) => {
    const verdict = checkUrl(url, policy)
    return verdict.ok ? 'ok' : verdict.fault.code
  }
  return [codeOf(plain), codeOf(live), codeOf(sandbox)]
}

const address = 'address_not_allowed'
const scheme = 'scheme_not_allowed'

// Columns: URL, plain HTTP allowed, live, sandbox
const corpus: readonly (readonly [string, string, string, string])[] = [
  ['https://example.com/hook?a=b', 'ok', 'ok', 'ok'],
  ['https://example.com:8443/', 'ok', 'ok', 'ok'],
  ['https://8.8.8.8/', 'ok', 'ok', 'ok'],
  ['https://[2606:4700::1111]/', 'ok', 'ok', 'ok'],
  ['https://exämple.com/', 'ok', 'ok', 'ok'],
  ['http://example.com/', 'ok', scheme, 'ok'],
  // Loopback in every spelling.
  ['https://127.0.0.1/', address, address, 'ok'],
  ['https://127.1/', address, address, 'ok'],
  ['https://2130706433/', address, address, 'ok'],
  ['https://0x7f000001/', address, address, 'ok'],
  ['https://0x7f.0.0.1/', address, address, 'ok'],
  ['https://0177.0.0.1/', address, address, 'ok'],
  ['https://017700000001/', address, address, 'ok'],
  ['https://127.0.0.1./', address, address, 'ok'],
  ['https://127.255.255.254/', address, address, 'ok'],
  ['https://１２７.０.０.１/', address, address, 'ok'],
  ['https://①②⑦.0.0.1/', address, address, 'ok'],
  ['https://%31%32%37.0.0.1/', address, address, 'ok'],
  ['https://127。0。0。1/', address, address, 'ok'],
  ['https://localhost/', address, address, 'ok'],
  ['https://LOCALHOST./', address, address, 'ok'],
  ['https://api.localhost/', address, address, 'ok'],
  ['https://[::1]/', address, address, 'ok'],
  ['https://[0:0:0:0:0:0:0:1]/', address, address, 'ok'],
  ['https://[::ffff:127.0.0.1]/', address, address, 'ok'],
  // Private, shared, local and reserved addresses are refused in the sandbox too.
  ['https://0.0.0.0/', address, address, address],
  ['https://0/', address, address, address],
  ['https://10.0.0.1/', address, address, address],
  ['https://100.64.0.1/', address, address, address],
  ['https://169.254.169.254/latest/meta-data/', address, address, address],
  ['https://2852039166/', address, address, address],
  ['https://0xa9fea9fe/', address, address, address],
  ['https://172.16.0.1/', address, address, address],
  ['https://172.31.255.255/', address, address, address],
  ['https://192.0.0.192/', address, address, address],
  ['https://192.168.1.1/', address, address, address],
  ['https://198.18.0.1/', address, address, address],
  ['https://224.0.0.1/', address, address, address],
  ['https://255.255.255.255/', address, address, address],
  ['https://[::]/', address, address, address],
  ['https://[::ffff:169.254.169.254]/', address, address, address],
  ['https://[::ffff:a00:1]/', address, address, address],
  ['https://[::169.254.169.254]/', address, address, address],
  ['https://[64:ff9b::7f00:1]/', address, address, address],
  ['https://[64:ff9b:1::a00:1]/', address, address, address],
  ['https://[fc00::1]/', address, address, address],
  ['https://[fd00:ec2::254]/', address, address, address],
  ['https://[fe80::1]/', address, address, address],
  ['https://[fec0::1]/', address, address, address],
  ['https://[ff02::1]/', address, address, address],
  ['https://[2001::1]/', address, address, address],
  ['https://[2001:db8::1]/', address, address, address],
  ['https://[2002:7f00:1::]/', address, address, address],
  ['https://[3fff::1]/', address, address, address],
  // The neighbours just outside the ranges.
  ['https://172.15.255.255/', 'ok', 'ok', 'ok'],
  ['https://172.32.0.0/', 'ok', 'ok', 'ok'],
  ['https://100.128.0.0/', 'ok', 'ok', 'ok'],
  // Not URLs of webhooks.
  ['ftp://example.com/', scheme, scheme, scheme],
  ['file:///etc/passwd', 'malformed', 'malformed', 'malformed'],
  ['gopher://127.0.0.1:6379/_x', scheme, scheme, scheme],
  [
    'https://user:secret@example.com/',
    'userinfo_not_allowed',
    'userinfo_not_allowed',
    'userinfo_not_allowed',
  ],
  ['https://example.com@127.0.0.1/', 'userinfo_not_allowed', 'userinfo_not_allowed', 'userinfo_not_allowed'],
  ['https://127.0.0.1\\@example.com/', 'malformed', 'malformed', 'malformed'],
  ['https:\\\\example.com/', 'malformed', 'malformed', 'malformed'],
  ['https://exa\nmple.com/', 'malformed', 'malformed', 'malformed'],
  [' https://example.com/', 'malformed', 'malformed', 'malformed'],
  ['https://256.256.256.256/', 'malformed', 'malformed', 'malformed'],
  ['https://example.com:99999/', 'malformed', 'malformed', 'malformed'],
  ['https://', 'malformed', 'malformed', 'malformed'],
  ['/hook', 'malformed', 'malformed', 'malformed'],
  ['', 'malformed', 'malformed', 'malformed'],
]

for (const [url, ...expected] of corpus) {
  test(`${JSON.stringify(url)}: ${expected.join(', ')}`, () => assert.deepEqual(verdicts(url), expected))
}

test('a URL has at most 2,048 characters', () => {
  const url = `https://example.com/${'a'.repeat(2_028)}`
  assert.equal(url.length, 2_048)
  assert.deepEqual(verdicts(url), ['ok', 'ok', 'ok'])
  assert.deepEqual(verdicts(`${url}a`), ['too_long', 'too_long', 'too_long'])
})

test('a host has at most 253 characters as it is sent, even when it was written with fewer', () => {
  const label = `${'a'.repeat(49)}.`
  assert.deepEqual(verdicts(`https://${label.repeat(5)}com/`), ['ok', 'ok', 'ok'])
  assert.deepEqual(verdicts(`https://${label.repeat(5)}museum/`), ['malformed', 'malformed', 'malformed'])
  const far = Array.from({ length: 15 }, (_, n) =>
    String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000)),
  ).join('')
  const short = `https://${`${far}.`.repeat(6)}com/`
  assert.ok(short.length < 253)
  assert.deepEqual(verdicts(short), ['malformed', 'malformed', 'malformed'])
})

test('an operator can allow one internal network, and only that one', () => {
  const policy: GuardPolicy = { ...live, allowCidrs: ['10.1.0.0/16', 'fd00::/8'] }
  assert.ok(checkUrl('https://10.1.2.3/', policy).ok)
  assert.ok(checkUrl('https://[fd12::1]/', policy).ok)
  assert.ok(!checkUrl('https://10.2.0.1/', policy).ok)
  assert.ok(!checkUrl('https://127.0.0.1/', policy).ok)
})

test('text that is no IP address is never allowed', () => {
  for (const text of ['', 'example.com', '8.8.8.8.8', '8.8.8.8 ', '::g', '[::1]']) {
    assert.ok(!isAddressAllowed(text, sandbox), text)
  }
})

/** The addresses that a connection to `host` may use, or the name of the error. */
function addressesFor(
  policy: GuardPolicy,
  answers: readonly string[],
  host = 'hook.example',
): Promise<unknown> {
  const lookup = guardedLookup(policy, () => Promise.resolve(answers))
  return new Promise((resolve) => {
    lookup(host, { all: true }, (error, addresses) => resolve(error === null ? addresses : error.name))
  })
}

test('a name that resolves to several addresses is connected to at its public ones only', async () => {
  assert.deepEqual(
    await addressesFor(live, ['10.0.0.1', '8.8.8.8', '::1', '2606:4700::1111', '169.254.169.254']),
    [
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ],
  )
  assert.equal(await addressesFor(live, ['127.0.0.1', 'fe80::1']), 'AddressRefused')
  assert.equal(await addressesFor(live, []), 'AddressRefused')
})

test('localhost is this machine even when the name server says otherwise', async () => {
  assert.equal(await addressesFor(live, ['8.8.8.8'], 'localhost'), 'AddressRefused')
  assert.deepEqual(await addressesFor(sandbox, ['8.8.8.8'], 'localhost'), [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ])
})
