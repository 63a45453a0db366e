// The systemd units that we hand out: systemd reads them without a complaint, they leave little to whoever takes a process over, and every
// role starts, works and ends by what they say. systemd itself starts nothing here.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createSignerClient, readSignerToken } from '#/signer/client.ts'
import { startAnvil } from '../anvil.ts'
import { eventually } from '../eventually.ts'
import { offsets, openPlace, root } from '../journeys/place.ts'
import { freePorts } from '../ports.ts'
import { startTestCluster } from '../postgres.ts'
import { inside, readUnit, startService, type Service } from './unit-file.ts'

const units = join(root, 'ops', 'systemd')
const template = join(units, 'vintem@.service')
const signerUnit = join(units, 'vintem-signer.service')
const workerDropIn = join(units, 'vintem@worker.service.d', 'signer.conf')
const roles = ['api', 'worker', 'watcher'] as const
const scratch = mkdtempSync(join(tmpdir(), 'vintem-units-'))
after(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }))

/** Of a busy machine. */
const startMs = 300_000

function analyze(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  return { status, said: `${stdout}${stderr}` }
}

test('systemd accepts the unit of each role, and rates its exposure as low', () => {
  // Nothing is installed in /opt here: systemd looks for the program and the page.
  const copy = (from: string, name: string) => {
    const here = readFileSync(from, 'utf8')
      .replaceAll(/^ExecStart=\S+/gm, 'ExecStart=/bin/true')
      .replaceAll(/^(?:Documentation|WorkingDirectory)=.*$/gm, '')
    const path = join(scratch, name)
    writeFileSync(path, here)
    return path
  }
  const all = [
    copy(signerUnit, 'vintem-signer.service'),
    ...roles.map((role) => copy(template, `vintem@${role}.service`)),
  ]
  const verified = () => all.map((path) => analyze('verify', '--man=no', path))
  assert.deepEqual(
    verified(),
    all.map(() => ({ status: 0, said: '' })),
  )
  for (const path of all) {
    const rated = analyze('security', '--offline=yes', '--threshold=20', path)
    assert.equal(rated.status, 0, rated.said)
  }
  const dropIn = join(scratch, 'vintem@worker.service.d')
  mkdirSync(dropIn)
  cpSync(workerDropIn, join(dropIn, 'signer.conf'))
  assert.deepEqual(
    verified(),
    all.map(() => ({ status: 0, said: '' })),
  )
  writeFileSync(join(dropIn, 'wrong.conf'), '[Service]\nNothingLikeThat=1\n')
  assert.ok(
    verified().some(({ said }) => said.includes('NothingLikeThat')),
    'drop-ins are read',
  )
})

test('each role starts, works and ends as its unit says', async (t) => {
  await using stack = new AsyncDisposableStack()
  const system = join(scratch, 'system')
  const cluster = await startTestCluster()
  stack.defer(cluster.stop)
  const place = await openPlace({ folder: scratch, adminUrl: cluster.url }, stack)
  const migrated = await place.run(root, 'migrate')
  assert.equal(migrated.code, 0, migrated.output)
  const node = stack.use(await startAnvil({ chainId: 56, blockTimeSeconds: 1 }))
  const key = () => randomBytes(32).toString('hex')
  const shared = {
    DATABASE_URL: place.databases.DATABASE_URL,
    VINTEM_MASTER_KEY: key(),
    VINTEM_AUDIT_KEY: key(),
    VINTEM_SANDBOX: 'off',
    VINTEM_LOG_LEVEL: 'info',
    VINTEM_BSC_RPC_URL: node.url,
    VINTEM_BSC_TREASURY: `0x${'7e'.repeat(20)}`,
  }
  const workerKey = { VINTEM_WORKER_KEY: key() }
  const started: Service[] = []
  stack.defer(async () => {
    for (const service of started) service.child.kill('SIGKILL')
  })
  const begin = (unit: ReturnType<typeof readUnit>, settings: Readonly<Record<string, string>>) => {
    const service = startService(unit, { root, system, settings })
    started.push(service)
    return service
  }

  const signer = readUnit([signerUnit])
  // As the page says: its folder is made before its first start, with its settings.
  const initialised = startService(
    { ...signer, command: [...signer.command, 'init'] },
    { root, system, settings: {} },
  )
  await eventually('the signer’s folder is made', () => initialised.child.exitCode !== null, startMs)
  assert.equal(initialised.child.exitCode, 0, initialised.output())
  const services = { signer: begin(signer, {}) } as Record<'signer' | (typeof roles)[number], Service>
  const socket = inside(system, '/run/vintem-signer/signer.sock')
  await eventually(
    () => `the signer answers: ${services.signer.output()}`,
    () => services.signer.output().includes(`The signer answers at ${socket}`),
    startMs,
  )
  const client = createSignerClient({
    socketPath: socket,
    token: readSignerToken(inside(system, '/var/lib/vintem-signer/token')),
    timeoutMs: 30_000,
  })
  assert.deepEqual(await client.addresses(), [])
  client.close()

  const ports = new Map<string, number>()
  for (const role of roles) {
    const paths = role === 'worker' ? [template, workerDropIn] : [template]
    const port = await freePorts(offsets)
    ports.set(role, port)
    const settings = { ...shared, ...(role === 'worker' ? workerKey : {}), PORT: String(port) }
    services[role] = begin(readUnit(paths, role), settings)
    await eventually(
      () => `${role} runs: ${services[role].output()}`,
      () => {
        assert.equal(services[role].child.exitCode, null, services[role].output())
        return services[role].output().includes('"msg":"running"')
      },
      startMs,
    )
  }
  const ready = await fetch(`http://127.0.0.1:${ports.get('api')}/health/ready`)
  assert.equal(ready.status, 200, await ready.text())

  const ends = await Promise.all(
    Object.entries(services).map(async ([name, service]) => [name, await service.stop()] as const),
  )
  t.diagnostic(ends.map(([name, { seconds }]) => `${name} ended in ${seconds.toFixed(1)} s`).join(', '))
  assert.deepEqual(
    ends.map(([name, { code }]) => [name, code]),
    ends.map(([name]) => [name, 0]),
  )
  const { stopSeconds } = readUnit([template], 'api')
  // What decision 149 names: the wait of an API, its last requests, and a margin. The unit of the signer is no shorter.
  assert.deepEqual([stopSeconds, signer.stopSeconds], [60, 60])
})
