// `signer`: the process that holds the keys of our wallets, and the commands on its folder. It reads no database and calls
// no server.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { mnemonicToAccount } from 'viem/accounts'
import { baseUnitsPerCent, toTokenUnits } from '#/coins/units.ts'
import type { Config } from '#/config.ts'
import { must } from '#/kernel/check.ts'
import { readRecipient, toChecksum } from '#/kernel/evm-address.ts'
import { createLog } from '#/kernel/log.ts'
import { printable, type Terminal } from '#/kernel/terminal.ts'
import { systemClock } from '#/kernel/time.ts'
import {
  createKey,
  importKey,
  listKeys,
  purposes,
  scryptNLeast,
  type KeyFacts,
  type Keystore,
  type Purpose,
} from '#/signer/keys.ts'
import { firstPolicy, sandboxPolicy } from '#/signer/new-policy.ts'
import { preparePrivateFolder, readSecretFile, writePrivateFile } from '#/signer/private-files.ts'
import { runSigner, signerFiles } from '#/signer/serve.ts'
import { SignerStartError } from '#/signer/start-error.ts'
import { parseDecimal } from './amount.ts'
import { bsc, factoryOf } from './bsc-settings.ts'
import {
  runGroup,
  sayDone,
  showNext,
  UsageError,
  type Call,
  type Command,
  type CommandDeps,
} from './command.ts'
import { dateText, printRecord, printRows, type Column } from './table.ts'

/** Runs the signer, or a command on its keys. */
export function signerCommand(
  args: readonly string[],
  terminal: Terminal,
  deps: CommandDeps,
): Promise<number> {
  const [word] = args
  if (word === undefined || word === dieWithParent)
    return serve(deps.config(), terminal, word === dieWithParent)
  const commands = { init, 'key new': makeKey, 'key list': list, policy, 'init-sandbox': initSandbox }
  const alone = 'Runs the signer: it holds the keys, and signs what its policy allows'
  return runGroup('signer', commands, args, { terminal, deps, alone })
}

/** For the signer as a child: it ends when its standard input does, so it never outlives its parent. */
const dieWithParent = '--die-with-parent'

async function serve(
  { signer, VINTEM_LOG_LEVEL, VINTEM_CELL }: Config,
  terminal: Terminal,
  isChild: boolean,
): Promise<number> {
  const { folder, socket, token } = signer
  const log = createLog(VINTEM_LOG_LEVEL, { role: 'signer', cell: VINTEM_CELL })
  try {
    await runSigner({
      ...signerFiles(folder),
      folder,
      socketPath: socket,
      tokenFile: token,
      isShared: path.dirname(socket) !== folder,
      clock: systemClock,
      log,
      onReady: () => terminal.out(`The signer answers at ${socket}`),
      ...(isChild ? { parent: process.stdin } : {}),
    })
    return 0
  } catch (error) {
    if (!(error instanceof SignerStartError)) throw error
    terminal.err(printable(`${error.message} ${error.remedy}`))
    return 1
  }
}

const init: Command = {
  summary: "Creates the signer's folder with a passphrase and a policy that allows nothing yet",
  async run({ deps, terminal, json }) {
    const { folder, files } = prepare(deps.config())
    const policy = `${JSON.stringify({ version: 1, keys: [] }, null, 2)}\n`
    writePrivateFile(files.policyFile, policy, { replace: false })
    if (json) return printRecord(terminal, { folder, ...files }, { labels: {}, json })
    sayDone(terminal, `${folder} is ready.`)
    terminal.out(
      `Keep a copy of ${files.passphraseFile} apart from the keys: they cannot be decrypted without it.`,
    )
    showNext(terminal, './vintem signer key new hot')
  },
}

const makeKey: Command = {
  summary: `Makes a key (${purposes.join(', ')}) and prints its address; the policy says what it may do`,
  positionals: ['purpose'],
  async run(call) {
    const purpose = purposeOf(call)
    const { store } = prepare(call.deps.config())
    try {
      const address = toChecksum(createKey(store, purpose, systemClock).address)
      if (call.json) printRecord(call.terminal, { address, purpose }, { labels: {}, json: true })
      else call.terminal.out(`${address} ${purpose}`)
    } finally {
      store.passphrase.fill(0)
    }
  },
}

const list: Command = {
  summary: 'Lists the keys: addresses and purposes',
  async run({ deps, terminal, json }) {
    const kept = listKeys(signerFiles(deps.config().signer.folder).keys)
    const keys = kept.map((key) => ({ ...key, address: toChecksum(key.address) }))
    printRows(terminal, keys, {
      columns,
      json,
      empty: 'There is no key. Make one: ./vintem signer key new hot',
    })
  },
}

const policy: Command = {
  summary: 'Prints a policy to begin with: the hot key pays out, the gas key collects to VINTEM_BSC_TREASURY',
  options: {
    'per-day': { value: 'amount', meaning: 'USDT that may leave in 24 hours, such as 50000.00; required' },
    'max-fee': {
      value: 'gwei',
      meaning: 'The most that a transaction offers for a unit of gas (default: 5)',
    },
  },
  async run({ deps, terminal, option }) {
    const config = deps.config()
    const factory = factoryOf(config)
    const perDay = parseDecimal(option('per-day') ?? '', 2)
    if (perDay === undefined)
      throw new UsageError('--per-day is missing, or is no amount.', 'Give it in USDT, such as 50000.00.')
    const maxFee = parseDecimal(option('max-fee') ?? '5', 9)
    if (maxFee === undefined) throw new UsageError('--max-fee is no number.', 'Give it in gwei, such as 5.')
    const kept = listKeys(signerFiles(config.signer.folder).keys)
    const addressFor = (purpose: Purpose) => {
      const [key, ...more] = kept.filter((each) => each.purpose === purpose)
      if (key === undefined)
        throw new UsageError(`There is no ${purpose} key.`, `Make one: ./vintem signer key new ${purpose}`)
      if (more.length > 0)
        throw new UsageError(`There are several ${purpose} keys.`, 'Write the policy by hand: docs/signer.md')
      return key.address
    }
    const [token] = bsc.tokens
    const made = firstPolicy({
      chainId: bsc.chainId,
      token: token.address,
      ...factory,
      keys: { hot: addressFor('hot'), gas: addressFor('gas') },
      perDay: toTokenUnits(token, perDay * baseUnitsPerCent).raw,
      maxFeePerGas: maxFee,
    })
    terminal.out(JSON.stringify(made, null, 2))
  },
}

/**
 * Everything that a sandbox's signer needs, created once: start runs it as a process of its own, so that no other process has
 * the keys. The treasury's key is public: it is the node's own account, so that addresses stay the same.
 */
const initSandbox: Command = {
  summary: "Creates the keys and the policy of a sandbox's signer; start runs this by itself",
  positionals: ['chain-id', 'token', 'factory', 'implementation'],
  async run({ deps, terminal, given }) {
    const { store: usual, files } = prepare(deps.config())
    // Cheap key derivation is enough: the passphrase is 256 random bits and the keys are worthless. An expensive one would only make each
    // start slower.
    const store: Keystore = { ...usual, scryptN: scryptNLeast }
    try {
      const keys = {
        hot: keyOf(store, 'hot'),
        gas: keyOf(store, 'gas'),
        treasury: keyOf(store, 'treasury', () => treasurySecret()),
      }
      const [chainId, token, factory, implementation] = given.map((each) => each.toLowerCase())
      const policy = sandboxPolicy({
        chainId: BigInt(must(chainId, 'a chain id')),
        token: addressOf(token),
        factory: addressOf(factory),
        implementation: addressOf(implementation),
        keys,
      })
      writePrivateFile(files.policyFile, `${JSON.stringify(policy, null, 2)}\n`, { replace: true })
      terminal.out(JSON.stringify(keys))
    } finally {
      store.passphrase.fill(0)
    }
  },
}

function keyOf(store: Keystore, purpose: Purpose, secretOf?: () => Buffer): KeyFacts['address'] {
  const existing = listKeys(store.folder).find((each) => each.purpose === purpose)
  if (existing !== undefined) return existing.address
  if (secretOf === undefined) return createKey(store, purpose, systemClock).address
  const secret = secretOf()
  try {
    return importKey(store, purpose, secret, systemClock).address
  } finally {
    secret.fill(0)
  }
}

/** The third account of every development node, from the words that they all publish: no secret. */
function treasurySecret(): Buffer {
  const account = mnemonicToAccount('test test test test test test test test test test test junk', {
    addressIndex: 2,
  })
  return Buffer.from(must(account.getHdKey().privateKey, 'the account has a key'))
}

/** The folder, with a passphrase that is made once. The caller wipes it. */
function prepare({ signer: { folder } }: Config) {
  const files = signerFiles(folder)
  preparePrivateFolder(folder)
  if (!existsSync(files.passphraseFile))
    writePrivateFile(files.passphraseFile, `${randomBytes(32).toString('base64url')}\n`, { replace: false })
  const store: Keystore = { folder: files.keys, passphrase: readSecretFile(files.passphraseFile) }
  return { folder, files, store }
}

function purposeOf({ given: [text = ''] }: Call): Purpose {
  const purpose = purposes.find((each) => each === text)
  if (purpose === undefined)
    throw new UsageError(`"${text}" is no purpose.`, `It is one of ${purposes.join(', ')}.`)
  return purpose
}

function addressOf(text: string | undefined): KeyFacts['address'] {
  const reading = readRecipient(text ?? '')
  if (!reading.ok) throw new UsageError(`"${text}" ${reading.message}.`, 'Give 0x and 40 digits.')
  return reading.address
}

const columns: readonly Column<KeyFacts>[] = [
  { name: 'Address', value: ({ address }) => address },
  { name: 'Purpose', value: ({ purpose }) => purpose },
  { name: 'Made', value: ({ createdAt }) => dateText(new Date(createdAt)) },
]
