import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '#/config.ts'
import { AppError } from '#/kernel/error.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { runCommand, runGroup, type Command } from './command.ts'
import { findCommand } from './commands.ts'
import { configCommand } from './config.ts'
import { printHelp } from './help.ts'

function context(env: Record<string, string> = {}) {
  const printed = { out: '', err: '' }
  const terminal = createTerminal(
    {
      stdout: { write: (text) => (printed.out += text) },
      stderr: { write: (text) => (printed.err += text) },
    },
    {},
  )
  const open = () => Promise.reject(new Error('no database is needed here'))
  return { printed, terminal, deps: { config: () => readConfig(env), open } }
}

const pet: Command = {
  summary: 'Pets an animal',
  positionals: ['animal'],
  options: { times: { value: 'number', meaning: 'How often' }, softly: { meaning: 'Without waking it' } },
  run: async ({ given, option, json, terminal }) =>
    terminal.out(JSON.stringify([given, option('times'), json])),
}

async function failing(error: Error) {
  const { printed, ...rest } = context()
  const code = await runCommand(
    'fail',
    { ...pet, positionals: [], run: () => Promise.reject(error) },
    [],
    rest,
  )
  return { code, err: printed.err }
}

test('arguments and options are parsed as they are declared', async () => {
  const { printed, ...rest } = context()
  assert.equal(await runCommand('pet', pet, ['cat', '--times=3', '--json'], rest), 0)
  assert.equal(printed.out, '[["cat"],"3",true]\n')
})

test('a wrong call exits with 2 and one line that says what to do', async () => {
  const wrong: readonly (readonly string[])[] = [
    [],
    ['cat', 'dog'],
    ['cat', '--nope'],
    ['cat', '--times'],
    ['cat', '--softly=yes'],
  ]
  for (const args of wrong) {
    const { printed, ...rest } = context()
    assert.equal(await runCommand('pet', pet, args, rest), 2, args.join(' '))
    assert.match(printed.err, /^x [^\n]+ See \.\/vintem pet --help\.\n$/)
    assert.equal(printed.out, '')
  }
})

test('a fault of the caller, of the settings or of the database is one line, and the exit code is 1', async () => {
  const cases: readonly (readonly [Error, RegExp])[] = [
    [new AppError('not_found', 'There is no such merchant.'), /^x There is no such merchant\.\n$/],
    [
      Object.assign(new Error('PORT is taken.'), { remedy: 'Set another.' }),
      /^x PORT is taken\. Set another\.\n$/,
    ],
    [
      Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
      /^x The database cannot be reached \(connect\)\. Start it/,
    ],
  ]
  for (const [error, expected] of cases) {
    const { code, err } = await failing(error)
    assert.equal(code, 1)
    assert.match(err, expected)
  }
})

test('a fault of our own is thrown, not turned into one line', async () => {
  await assert.rejects(failing(new TypeError('undefined is not a function')), TypeError)
})

test('help names every argument and option, of one command and of a group, and needs no valid settings', async () => {
  for (const args of [['--help'], ['cat', '-h']]) {
    const { printed, ...rest } = context({ PORT: 'wrong' })
    assert.equal(await runCommand('pet', pet, args, rest), 0)
    for (const part of [
      './vintem pet <animal>',
      'Pets an animal.',
      '--times <number>',
      '--softly',
      '--json',
    ]) {
      assert.ok(printed.out.includes(part), part)
    }
  }
  for (const args of [[], ['--help']]) {
    const { printed, ...rest } = context()
    assert.equal(await runGroup('zoo', { pet }, args, rest), 0)
    assert.match(printed.out, /pet <animal>\s+Pets an animal\n/)
  }
})

test('an unknown command of a group is refused, even a name that every object has', async () => {
  for (const word of ['feed', 'constructor']) {
    const { printed, ...rest } = context()
    assert.equal(await runGroup('zoo', { pet }, [word], rest), 2)
    assert.equal(printed.err, `x There is no command zoo ${word}. See ./vintem zoo --help.\n`)
  }
})

test('config shows every setting and no secret', async () => {
  const secret = 'ab'.repeat(32)
  const env = { PORT: '4100', VINTEM_MASTER_KEY: secret }
  const table = context(env)
  assert.equal(await configCommand([], table.terminal, table.deps), 0)
  assert.match(table.printed.out, /\nPORT +4100 +set +Port of the API/)
  assert.match(table.printed.out, /\nVINTEM_HOST +127\.0\.0\.1 +default +/)
  const json = context(env)
  await configCommand(['--json'], json.terminal, json.deps)
  const settings: unknown = JSON.parse(json.printed.out)
  assert.ok(Array.isArray(settings) && settings.length === readConfig(env).rows.length)
  for (const { printed } of [table, json]) assert.ok(!printed.out.includes(secret))
})

test('the overview has every command', () => {
  const { printed, terminal } = context()
  printHelp(terminal, '0.1.0')
  for (const name of 'start api worker watcher migrate verify config merchant key chain inbox demo reset'.split(
    ' ',
  )) {
    assert.match(printed.out, new RegExp(`\\n  ${name} +[A-Z]`), name)
  }
})

test('a command without arguments does nothing when it is given one: help, or one line with what to do', async () => {
  for (const name of ['start', 'api', 'worker', 'watcher', 'migrate', 'demo', 'reset']) {
    for (const [given, code] of [
      ['--help', 0],
      ['-h', 0],
      ['--json', 2],
      ['everything', 2],
    ] as const) {
      const { printed, terminal } = context()
      // It does not even read its settings.
      const config = () => assert.fail('settings are read')
      assert.equal(await findCommand(name)([given], { terminal, config }), code, `${name} ${given}`)
      if (code === 0) assert.match(printed.out, new RegExp(`^\\./vintem ${name}\\n[A-Z][^\\n]+\\.\\n$`))
      else assert.equal(printed.err, `x ${name} has no use for "${given}". See ./vintem ${name} --help.\n`)
    }
  }
})

test('an option that repeats gives all its values, and another one only its last', async () => {
  const times = { value: 'number', meaning: 'How often' } as const
  const run: Command['run'] = async ({ all, option, terminal }) =>
    terminal.out(JSON.stringify([all('at'), option('at') ?? null, option('times'), all('times')]))
  const { printed, ...rest } = context()
  const options = { times, at: { value: 'hour', repeats: true, meaning: 'When' } } as const
  const args = ['cat', '--at', '8', '--times', '1', '--at', '9', '--times', '2']
  assert.equal(await runCommand('pet', { ...pet, options, run }, args, rest), 0)
  assert.deepEqual(JSON.parse(printed.out), [['8', '9'], null, '2', []])
})
