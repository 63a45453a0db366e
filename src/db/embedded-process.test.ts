import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import {
  isPortFree,
  isRunning,
  identityOf,
  readIdentity,
  acquireLock,
  waitUntilGone,
} from './embedded-process.ts'

test('an identity names one process: not another one with the same number, and not its zombie', async () => {
  const child = spawn('sleep', ['60'])
  const pid = must(child.pid, 'a number')
  const identity = must(identityOf(pid), 'a running process has an identity')
  assert.equal(isRunning(identity), true)
  assert.equal(isRunning({ pid, startedAt: 'another moment' }), false)
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  assert.equal(await waitUntilGone(identity, 5_000), true)
  await gone

  // The shell's child ends, and the program that replaced the shell never reads its exit code.
  const parent = spawn('/bin/sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const zombie = Number(String(line))
  const deadline = AbortSignal.timeout(30_000)
  while (identityOf(zombie) !== undefined) {
    deadline.throwIfAborted()
    await new Promise(setImmediate)
  }
  assert.equal(process.kill(zombie, 0), true)
  parent.kill()
})

test('a lock has one holder, and the lock of a process that is gone is free', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vintem-lock-'))
  const path = join(folder, 'lock')
  try {
    writeFileSync(path, JSON.stringify({ pid: process.pid, startedAt: 'before this process' }))
    assert.equal(acquireLock(path), undefined)
    assert.deepEqual(readIdentity(path), identityOf(process.pid))
    assert.deepEqual(acquireLock(path), identityOf(process.pid))
    writeFileSync(path, 'half an identity')
    assert.equal(acquireLock(path), undefined)
    assert.deepEqual(readdirSync(folder), ['lock'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('of many processes that acquire an abandoned lock at once, one gets it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vintem-lock-'))
  const path = join(folder, 'lock')
  const module = new URL('./embedded-process.ts', import.meta.url).href
  // Each prints its result and stays alive until its input ends, so that its lock is valid.
  const program = `const { acquireLock } = await import('${module}')
    console.log(acquireLock(process.argv[1]) === undefined ? 'acquired' : 'held')
    process.stdin.resume()`
  writeFileSync(path, JSON.stringify({ pid: process.pid, startedAt: 'before this process' }))
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', program, path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  )
  try {
    const results = await Promise.all(
      children.map(async ({ stdout }) => String((await once(stdout, 'data'))[0]).trim()),
    )
    assert.deepEqual(results.sort(), ['acquired', 'held', 'held', 'held'])
    assert.ok(children.some(({ pid }) => pid === readIdentity(path)?.pid))
  } finally {
    await Promise.all(
      children.map((child) => {
        child.stdin.end()
        return once(child, 'exit')
      }),
    )
    rmSync(folder, { recursive: true })
  }
})

test('a port is free when no process listens on it', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  assert.equal(await isPortFree(port), false)
  await new Promise((resolve) => server.close(resolve))
  assert.equal(await isPortFree(port), true)
})
