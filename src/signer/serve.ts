// The signer as a process: decrypts the keys, opens the journal, and serves clients with the right token on a unix socket.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { url as inspectorUrl } from 'node:inspector'
import { createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import type { Clock } from '#/kernel/time.ts'
import { answerConnection, type Answering } from './connection.ts'
import { createDesk } from './desk.ts'
import { openJournal, type Journal } from './journal.ts'
import { openKeys, type Keystore, type OpenKeys } from './keys.ts'
import { readPolicyFile, type Policy } from './policy-file.ts'
import { preparePrivateFolder, readSecretFile, writePrivateFile } from './private-files.ts'
import { claim, listenAt } from './socket-file.ts'
import { SignerStartError } from './start-error.ts'

export type SignerOptions = {
  /** The signer's own folder: `keys/`, the journal and its lock. */
  readonly folder: string
  readonly passphraseFile: string
  readonly policyFile: string
  readonly socketPath: string
  /** Created if it is missing. Clients read the same text from a file of their own or from this one. */
  readonly tokenFile: string
  /** The clients are other users of the socket's group (0660, in a folder that the operator made), not our own (0600). */
  readonly isShared?: boolean
  readonly clock: Clock
  readonly log: Log
}

export type Signer = {
  /** Answers what is under way, wipes the keys and releases everything. May be called twice. */
  close(): Promise<void>
  /** Resolves after `close`; rejects when the signer closed by itself, because the journal failed. */
  readonly ended: Promise<void>
}

/** Default places in the signer's folder. */
export function signerFiles(folder: string) {
  return {
    keys: join(folder, 'keys'),
    passphraseFile: join(folder, 'passphrase'),
    policyFile: join(folder, 'policy.json'),
    socketPath: join(folder, 'signer.sock'),
    tokenFile: join(folder, 'token'),
  }
}

/**
 * Runs the signer until it gets SIGTERM, SIGINT or SIGHUP. As a child it also runs only until `parent` ends: the stream that its
 * parent holds open, which the system closes when the parent ends in any way. Rejects with SignerStartError when it cannot start,
 * and when the journal fails.
 */
export async function runSigner(
  options: SignerOptions & { readonly parent?: Readable; readonly onReady?: () => void },
): Promise<void> {
  const stopRequest = listenForEnd(options.parent)
  try {
    const signer = await serveSigner(options)
    options.onReady?.()
    await Promise.race([stopRequest.promise, signer.ended])
    await signer.close()
  } finally {
    stopRequest.forget()
  }
}

/** Starts to answer. Throws SignerStartError when keys, policy, journal or socket do not allow it. */
export async function serveSigner(options: SignerOptions): Promise<Signer> {
  refuseInspection()
  preparePrivateFolder(options.folder)
  const lock = await claim(join(options.folder, 'lock'))
  const opened: { close(): unknown }[] = [{ close: lock.release }]
  const closeAll = async () => {
    for (const each of opened.splice(0).toReversed()) await each.close()
  }
  try {
    const policy = readPolicyFile(options.policyFile)
    const token = readToken(options.tokenFile)
    const { keys, journal } = await openStore(options, policy, opened)
    const broken = Promise.withResolvers<void>()
    const desk = createDesk({ ...options, policy, keys, journal, onBroken: () => broken.resolve() })
    opened.push({ close: desk.stop })
    const clients = await openSocket(options, { desk, token, policy, log: options.log })
    opened.push(clients)
    const { close, ended } = endOnce(closeAll)
    void broken.promise.then(() => close(new Error('the journal could not be written')))
    options.log.info({ keys: policy.keys.length, entries: journal.entries.length }, 'the signer answers')
    return { close: () => close(), ended }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** Refuses debuggers, which can read all memory. SIGUSR1 would start one on a TCP port that every user of this machine can reach. */
function refuseInspection(): void {
  if (inspectorUrl() !== undefined)
    throw new SignerStartError('The signer does not run under a debugger.', 'Start it without --inspect.')
  if (!process.listeners('SIGUSR1').includes(ignore)) process.on('SIGUSR1', ignore)
}

function ignore(): void {}

function readToken(path: string): Buffer {
  if (!existsSync(path)) {
    preparePrivateFolder(dirname(path))
    writePrivateFile(path, `${randomBytes(32).toString('base64url')}\n`, { replace: false })
  }
  return readSecretFile(path)
}

async function openStore(
  { folder, passphraseFile, log }: SignerOptions,
  policy: Policy,
  opened: { close(): unknown }[],
): Promise<{ keys: OpenKeys; journal: Journal }> {
  const store: Keystore = { folder: signerFiles(folder).keys, passphrase: readSecretFile(passphraseFile) }
  try {
    const keys = openKeys(
      store,
      policy.keys.map(({ address }) => address),
    )
    opened.push(keys)
    for (const { address, purpose } of keys.facts) {
      const named = policy.keys.find((each) => each.address === address)?.purpose
      if (named !== purpose)
        throw new SignerStartError(
          `The policy calls ${address} a ${named} key; it was made as a ${purpose} key.`,
          'Correct the policy, or make a key for this purpose.',
        )
    }
    const journal = await openJournal(folder, store)
    opened.push(journal)
    if (journal.dropped > 0) log.warn({ bytes: journal.dropped }, 'dropped a line that was never answered')
    return { keys, journal }
  } finally {
    store.passphrase.fill(0)
  }
}

async function openSocket(
  { socketPath, isShared = false }: SignerOptions,
  answering: Answering,
): Promise<{ close(): Promise<void> }> {
  const ends = new Set<() => void>()
  const server: Server = createServer((socket) => {
    const end = answerConnection(socket, answering)
    ends.add(end)
    socket.once('close', () => void ends.delete(end))
  })
  server.maxConnections = 64
  if (!isShared) preparePrivateFolder(dirname(socketPath))
  await listenAt(server, socketPath, isShared ? 0o660 : 0o600)
  server.on('error', (error) => answering.log.error({ error: messageOf(error) }, 'the socket failed'))
  return {
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      await answering.desk.stop()
      for (const end of ends) end()
      await closed
    },
  }
}

function endOnce(closeAll: () => Promise<void>) {
  const ended = Promise.withResolvers<void>()
  // A caller that ignores `ended` must not be ended by its rejection.
  ended.promise.catch(() => {})
  let closing: Promise<void> | undefined
  const close = (fault?: Error) =>
    (closing ??= closeAll().then(() => (fault === undefined ? ended.resolve() : ended.reject(fault))))
  return { close, ended: ended.promise }
}

const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Resolves when this process is asked to stop. After `forget`, it does not keep the process alive. */
function listenForEnd(parent: Readable | undefined): { readonly promise: Promise<void>; forget(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const onSignal = () => resolve()
  // Until `forget`: a second signal must not end us while the journal is being closed.
  for (const signal of endSignals) process.on(signal, onSignal)
  for (const event of ['end', 'close', 'error']) parent?.once(event, onSignal)
  // The content is ignored; but only a stream that is read reaches its end.
  parent?.resume()
  return {
    promise,
    forget() {
      for (const signal of endSignals) process.off(signal, onSignal)
      parent?.pause()
    },
  }
}
