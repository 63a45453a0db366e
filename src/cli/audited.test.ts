// Every command reads a person's text for the log in the same way, before it does anything else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#/kernel/id.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { requiredReason, textOf } from './audited.ts'
import { commandNames, findCommand } from './commands.ts'

const saying = (text?: string) => ({ option: () => text })
const half = '\ud83d'

test('a text is kept without surrounding space, and a blank one counts as absent', () => {
  assert.equal(textOf(saying('  the bank wrote so\n'), 'why'), 'the bank wrote so')
  assert.equal(textOf(saying('😀'.repeat(250)), 'why')?.length, 500)
  for (const text of [undefined, '', ' \n\t']) assert.equal(textOf(saying(text), 'why'), undefined)
})

test('a text that is too long, or that the database cannot store, is refused', () => {
  const refused = (text: string, message: RegExp) =>
    assert.throws(() => textOf(saying(text), 'why'), { name: 'UsageError', message })
  refused('x'.repeat(501), /^--why has at most 500 characters\.$/)
  for (const text of ['a\0b', `a${half}`]) refused(text, /^--why has characters that cannot be kept\.$/)
})

test('a required reason that is blank is missing', () => {
  assert.equal(requiredReason(saying(' seen '), 'Say how.'), 'seen')
  for (const text of [undefined, ' '])
    assert.throws(() => requiredReason(saying(text), 'Say how.'), {
      message: '--reason is missing.',
      remedy: 'Say how.',
    })
})

async function run(name: string, ...args: readonly string[]) {
  const printed = { out: '', err: '' }
  const terminal = createTerminal(
    {
      stdout: { write: (text) => (printed.out += text) },
      stderr: { write: (text) => (printed.err += text) },
    },
    {},
  )
  const config = () => assert.fail('the database is not opened for a text that is refused')
  return { code: await findCommand(name)(args, { terminal, config }), ...printed }
}

const address = `0x${'12'.repeat(20)}`

/** Every option that takes a text for the log: the arguments that precede the text. */
const texts: Readonly<Record<string, readonly string[]>> = {
  'chain lift --why': ['lift', 'bsc', '--yes'],
  'inbox retry --why': ['retry', '1'],
  'inbox drop --reason': ['drop', '1'],
  'suspense credit --note': ['credit', newId(), '--merchant', newId()],
  'suspense return --note': ['return', newId()],
  'suspense refuse --reason': ['refuse', newId()],
  'statement accept --note': ['accept', 'a1-x', 'REF'],
  'statement refuse --reason': ['refuse', 'a1-x', 'REF'],
  'statement recall --note': ['recall', 'a1-x', 'REF', 'CREDIT'],
  'statement no-recall --reason': ['no-recall', 'a1-x', 'REF'],
  'statement held-new --reason': ['held-new', 'a1-x', 'REF'],
  'statement held-same --reason': ['held-same', 'a1-x', 'REF'],
  'statement correct --reason': ['correct', 'a1-x', '0'.repeat(64)],
  'statement foreign-done --reason': ['foreign-done', '019aa4c1-7f3e-7c52-9d0b-52a1c7e04b11'],
  'refund end --reason': ['end', newId()],
  'refund end --proof': ['end', newId(), '--reason', 'x'],
  'withdrawal resolve --reason': ['resolve', newId(), 'sent'],
  'withdrawal stop --reason': ['stop', newId()],
  'withdrawal destination add --note': ['destination', 'add', newId(), address, '--type', 'crypto'],
  'coins lift --reason': ['lift', address],
  'rescue propose --note': ['propose', newId(), '--merchant', newId()],
  'backup mark --note': ['mark'],
  'backup drill --note': ['drill', '--batch', '0'],
  'payer erase --reason': ['erase', newId(), '--email', 'ana@example.com', '--confirm'],
  'suspense charge --reason': ['charge', newId(), '--merchant', newId()],
  'suspense write-off --reason': ['write-off', newId()],
  'suspense came-back --reason': ['came-back', newId()],
  'restored begin --reason': ['begin'],
  'restored confirm --note': ['confirm', 'keys', '--seen', '0'],
  'restored open --reason': ['open'],
  'freeze all --reason': ['all'],
  'freeze merchant --reason': ['merchant', newId()],
  'freeze rail --reason': ['rail', 'PIX'],
  'unfreeze all --reason': ['all'],
  'unfreeze merchant --reason': ['merchant', newId()],
  'unfreeze rail --reason': ['rail', 'PIX'],
  'merchant suspend --reason': ['suspend', newId()],
  'merchant resume --reason': ['resume', newId()],
  'merchant fee --reason': ['fee', newId()],
  'withdrawal limit --reason': ['limit', newId(), '--type', 'pix', '--each', '5'],
  'withdrawal destination remove --reason': ['destination', 'remove', newId(), address, '--type', 'crypto'],
  'merchant activate --reason': ['activate', newId()],
  'merchant close --reason': ['close', newId()],
  'merchant pass-on --reason': ['pass-on', newId()],
}

for (const [name, args] of Object.entries(texts))
  test(`${name}: a text that is too long, or that cannot be stored, is refused before the database is opened`, async () => {
    const [first = '', option = ''] = [name.split(' ')[0], name.split(' ').at(-1)]
    for (const text of ['x'.repeat(501), `a${half}`]) {
      const { code, err } = await run(first, ...args, option, text)
      assert.deepEqual([code, err.startsWith(`x ${option} has `)], [2, true], err)
    }
  })

/** Commands without subcommands and without an option for a reason. */
const single = [
  'start',
  'api',
  'worker',
  'watcher',
  'migrate',
  'verify',
  'config',
  'doctor',
  'rekey',
  'balances',
  'demo',
  'env',
  'listen',
  'mcp',
  'trigger',
  'rehearse',
  'reset',
  'help',
]

/** `group word` and `group word word`, of all groups. */
async function words(...group: readonly [string, ...string[]]): Promise<readonly (readonly string[])[]> {
  const [first, ...rest] = group
  const { out } = await run(first, ...rest, '--help')
  const found = out.split('\n').flatMap((line) => /^ {2}([a-z][a-z-]*)/.exec(line)?.[1] ?? [])
  const below = await Promise.all(
    found.map((word) =>
      word === 'destination' ? words(...group, word) : Promise.resolve([[...group, word]]),
    ),
  )
  return below.flat()
}

test('every option for a text is on the list above', async () => {
  const found: string[] = []
  // One is compared with a stored text, the others are names.
  const noReasons = [
    'chain lift --reason',
    'key create --name',
    'sandbox create --name',
    'user create --name',
  ]
  for (const name of commandNames.filter((each) => !single.includes(each)))
    for (const [first = '', ...rest] of await words(name)) {
      const { out } = await run(first, ...rest, '--help')
      const options = [...out.matchAll(/^ {2}(--[a-z-]+) <text>/gm)].map(([, option = '']) => option)
      found.push(...options.map((option) => [first, ...rest, option].join(' ')))
    }
  assert.deepEqual(found.toSorted(), [...Object.keys(texts), ...noReasons].toSorted())
})
