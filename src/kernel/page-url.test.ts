import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Mode } from './mode.ts'
import { readPageUrl } from './page-url.ts'

function codeOf(text: string, mode: Mode): string | undefined {
  const read = readPageUrl(text, mode)
  return read.ok ? undefined : read.fault.code
}

for (const { url, live, sandbox } of [
  { url: 'https://shop.example.com/orders/A-1?x=1#y', live: undefined, sandbox: undefined },
  { url: 'https://10.0.0.1/', live: undefined, sandbox: undefined },
  { url: 'http://localhost:3000/done', live: 'scheme_not_allowed', sandbox: undefined },
  { url: 'http://127.0.0.1:3000/', live: 'scheme_not_allowed', sandbox: undefined },
  { url: 'http://[::1]/', live: 'scheme_not_allowed', sandbox: undefined },
  { url: 'http://shop.example.com/', live: 'scheme_not_allowed', sandbox: 'scheme_not_allowed' },
  { url: 'http://127.0.0.1.example.com/', live: 'scheme_not_allowed', sandbox: 'scheme_not_allowed' },
  { url: 'javascript:alert(1)', live: 'malformed', sandbox: 'malformed' },
  { url: 'data:text/html,x', live: 'malformed', sandbox: 'malformed' },
  {
    url: 'https://ana:secret@shop.example.com/',
    live: 'userinfo_not_allowed',
    sandbox: 'userinfo_not_allowed',
  },
  { url: '/orders/A-1', live: 'malformed', sandbox: 'malformed' },
  { url: 'https://shop.example.com/a b', live: 'malformed', sandbox: 'malformed' },
]) {
  test(`a page at ${url}: ${live ?? 'good'} live, ${sandbox ?? 'good'} in the sandbox`, () => {
    assert.deepEqual([codeOf(url, 'LIVE'), codeOf(url, 'SANDBOX')], [live, sandbox])
  })
}
