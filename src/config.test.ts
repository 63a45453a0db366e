import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { ConfigError, readConfig, type SettingRow } from './config.ts'

const root = path.resolve(import.meta.dirname, '..')

/** `./vintem config` as somebody types it in another folder. */
function dataDirFrom(cwd: string, env: Readonly<Record<string, string>>): string | undefined {
  const main = path.join(root, 'src/main.ts')
  const { stdout } = spawnSync(process.execPath, [main, 'config', '--json'], { cwd, env, encoding: 'utf8' })
  const rows = JSON.parse(stdout) as readonly SettingRow[]
  return rows.find(({ name }) => name === 'VINTEM_DATA_DIR')?.value
}

test('the data is the same wherever a command is typed: a relative folder begins at the project', () => {
  assert.equal(dataDirFrom(tmpdir(), {}), path.join(root, '.vintem'))
  assert.equal(dataDirFrom(tmpdir(), { VINTEM_DATA_DIR: 'data/one' }), path.join(root, 'data/one'))
  const elsewhere = path.join(tmpdir(), 'vintem-data')
  assert.equal(readConfig({ VINTEM_DATA_DIR: elsewhere }).dataDir, elsewhere)
  assert.equal(readConfig({ VINTEM_DATA_DIR: 'data/one' }).dataDir, path.join(root, 'data/one'))
})

test('trusted proxies are addresses and networks; none unless named', () => {
  const proxies = (text: string) => readConfig({ VINTEM_TRUSTED_PROXIES: text }).VINTEM_TRUSTED_PROXIES
  assert.deepEqual(readConfig({}).VINTEM_TRUSTED_PROXIES, [])
  assert.deepEqual(proxies('10.1.0.7, 10.2.0.0/16,fd00::/8,::1'), [
    '10.1.0.7',
    '10.2.0.0/16',
    'fd00::/8',
    '::1',
  ])
  assert.deepEqual(proxies(''), [])
  for (const wrong of [
    'loopback',
    'proxy.internal',
    '10.1.0',
    '10.0.0.0/33',
    '10.0.0.0/',
    '::1/129',
    'fe80::1%eth0',
  ]) {
    assert.throws(() => proxies(wrong), ConfigError, wrong)
  }
})

test('a public URL is a host alone: with a path, a query or a user it is refused', () => {
  const names = ['API', 'CHECKOUT', 'PARTNER_CHECKOUT', 'CALLBACK', 'DASHBOARD'] as const
  for (const name of names.map((each) => `VINTEM_${each}_URL` as const)) {
    const host = `https://pay.example.com:8443`
    assert.equal(readConfig({ [name]: `${host}/` })[name], host)
    for (const rest of ['/shop', '/?a=1', '?', '#here'])
      assert.throws(() => readConfig({ [name]: `${host}${rest}` }), ConfigError, name)
    for (const text of ['https://ana@pay.example.com', 'ftp://pay.example.com', 'pay.example.com'])
      assert.throws(() => readConfig({ [name]: text }), ConfigError, name)
  }
  // A node of a provider has its key in the path.
  const node = 'https://node.example.com/v1/key'
  assert.equal(readConfig({ VINTEM_BSC_RPC_URL: node }).VINTEM_BSC_RPC_URL, node)
})
