import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf } from './address.ts'
import { StartError } from './failure.ts'

test('a URL names a Unix socket by its folder as host, and its port', () => {
  assert.deepEqual(addressOf('postgres://app:s%40t@localhost/vintem?host=/var/run/postgresql'), {
    url: 'postgres://app:s%40t@localhost/vintem',
    servers: [{ path: '/var/run/postgresql/.s.PGSQL.5432' }],
    isPrimaryOnly: false,
  })
  assert.deepEqual(
    addressOf('postgres://app@127.0.0.1:6000/vintem?sslmode=disable&host=%2Fsockets%2Fa%20b'),
    {
      url: 'postgres://app@127.0.0.1:6000/vintem?sslmode=disable',
      servers: [{ path: '/sockets/a b/.s.PGSQL.6000' }],
      isPrimaryOnly: false,
    },
  )
})

test('one host is used as it is; several hosts mean the primary among them', () => {
  assert.deepEqual(addressOf('postgres://app@db/vintem'), {
    url: 'postgres://app@db/vintem',
    servers: [{ host: 'db', port: 5432 }],
    isPrimaryOnly: false,
  })
  assert.deepEqual(
    addressOf('postgresql://app:a%2Cb@a.example:6000,b.example,[2001:db8::1]:6001/vintem?sslmode=require'),
    {
      url: 'postgresql://app:a%2Cb@a.example:6000/vintem?sslmode=require',
      servers: [
        { host: 'a.example', port: 6000 },
        { host: 'b.example', port: 5432 },
        { host: '2001:db8::1', port: 6001 },
      ],
      isPrimaryOnly: true,
    },
  )
  const wanted = addressOf('postgres://app@db/vintem?target_session_attrs=primary&sslmode=require')
  assert.deepEqual([wanted.url, wanted.isPrimaryOnly], ['postgres://app@db/vintem?sslmode=require', true])
})

test('what is not supported is refused with its reason', () => {
  for (const [url, reason] of [
    [
      'postgres://app@a,b/vintem?target_session_attrs=read-write',
      /read-write is not supported. It accepts every/,
    ],
    ['postgres://app@a,b/vintem?target_session_attrs=any', /any is not supported. All work needs the server/],
    ['postgres://app@a,,b/vintem', /has no host/],
    ['postgres://app@a,b:port/vintem', /a port that is no number/],
    ['mysql://app@a/vintem', /not the URL of a PostgreSQL/],
  ] as const)
    assert.throws(
      () => addressOf(url),
      (error) => error instanceof StartError && reason.test(error.message),
    )
})
