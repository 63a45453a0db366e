// All checks that need no run of the code: `npm run check [name …]`. A check that read nothing has not passed, so each
// reports how much it has checked.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

type Check = {
  readonly name: string
  /** Arguments of the pinned Node. */
  readonly command: readonly string[]
  /** The tool's own count of what it checked; the first group is the number. */
  readonly counted: RegExp
  /** What is counted: the last word of the check's line. */
  readonly what: string
  /** Output that the tool prints only for `counted`; removed when the output is shown. */
  readonly noise?: RegExp
}
type Result = { readonly ok: boolean; readonly line: string; readonly output: string }

const root = join(import.meta.dirname, '..')
const atOnce = 2

const checks: readonly Check[] = [
  {
    name: 'format',
    command: [bin('oxfmt'), '--check'],
    counted: /Finished in \S+ on (\d+) files/,
    what: 'files',
  },
  {
    name: 'lint',
    command: [bin('oxlint'), '--type-aware', '--deny-warnings'],
    counted: /Finished in \S+ on (\d+) files/,
    what: 'files',
  },
  {
    name: 'openapi',
    command: ['scripts/openapi.ts', '--check'],
    counted: /(\d+) routes/,
    what: 'routes',
  },
  {
    name: 'sdk',
    command: ['sdk/generator/main.ts', '--check'],
    counted: /has (\d+) methods/,
    what: 'methods',
  },
  {
    name: 'sdk types',
    command: [bin('tsc', 'typescript'), '-p', 'sdk/typescript', '--noEmit', '--pretty', '--listFiles'],
    counted: new RegExp(String.raw`^(?!.*/node_modules/)/.*\.ts$`, 'gm'),
    what: 'files',
    noise: /^\/\S+\n/gm,
  },
  {
    name: 'example types',
    command: [bin('tsc', 'typescript'), '-p', 'examples/shop', '--pretty', '--listFiles'],
    counted: new RegExp(String.raw`^(?!.*/node_modules/)/.*\.ts$`, 'gm'),
    what: 'files',
    noise: /^\/\S+\n/gm,
  },
  {
    name: 'plug-in types',
    command: [bin('tsc', 'typescript'), '-p', 'integrations/medusa', '--pretty', '--listFiles'],
    counted: new RegExp(String.raw`^(?!.*/node_modules/)/.*\.ts$`, 'gm'),
    what: 'files',
    noise: /^\/\S+\n/gm,
  },
  {
    name: 'boundaries',
    command: ['--test', '--test-reporter=spec', '--test-name-pattern=^boundaries:', 'scripts/tidy.test.ts'],
    counted: /ℹ checked (\d+ imports in \d+) files/,
    what: 'files',
    noise: /^(?:✔|ℹ|test at ).*\n/gm,
  },
  {
    name: 'types',
    command: [bin('tsc', 'typescript'), '-p', '.', '--pretty', '--listFiles'],
    // Every file of the program is listed on a line of its own; libraries are not counted.
    counted: new RegExp(String.raw`^(?!.*/node_modules/)/.*\.ts$`, 'gm'),
    what: 'files',
    noise: /^\/\S+\n/gm,
  },
  {
    name: 'web types',
    // Separate from the rest: browser code has a DOM, and no Node.
    command: [bin('tsc', 'typescript'), '-p', 'web/checkout', '--pretty', '--listFiles'],
    counted: new RegExp(String.raw`^(?!.*/node_modules/)/.*\.tsx?$`, 'gm'),
    what: 'files',
    noise: /^\/\S+\n/gm,
  },
  {
    name: 'dashboard',
    // Its JSX is React's, the checkout's is Preact's.
    command: [bin('tsc', 'typescript'), '-p', 'web/dashboard', '--pretty', '--listFiles'],
    counted: new RegExp(String.raw`^(?!.*/node_modules/)/.*\.tsx?$`, 'gm'),
    what: 'files',
    noise: /^\/\S+\n/gm,
  },
  {
    name: 'site types',
    // The scripts of the documentation site: browser code without JSX.
    command: [bin('tsc', 'typescript'), '-p', 'web/docs/client', '--pretty', '--listFiles'],
    counted: new RegExp(String.raw`^(?!.*/node_modules/)/.*\.ts$`, 'gm'),
    what: 'files',
    noise: /^\/\S+\n/gm,
  },
  {
    name: 'unused',
    command: [
      bin('knip'),
      '--no-progress',
      '--treat-config-hints-as-errors',
      '--performance-fn',
      'getImportsAndExports',
    ],
    counted: /^getImportsAndExports\s+(\d+)/m,
    what: 'files',
    noise: /^\s*Name\s+size[^]*/m,
  },
  {
    name: 'rules',
    command: ['--test', '--test-reporter=spec', '--test-skip-pattern=^boundaries:', 'scripts/tidy.test.ts'],
    counted: /ℹ tests (\d+)/,
    what: 'house rules',
    noise: /^(?:✔|ℹ|test at ).*\n/gm,
  },
]

process.exitCode = await main(process.argv.slice(2))

async function main(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !checks.some((check) => check.name === name))
  if (unknown.length > 0) {
    console.error(
      `no check is called ${unknown.join(' or ')}: there are ${checks.map(({ name }) => name).join(', ')}`,
    )
    return 1
  }
  const chosen = checks.filter(({ name }) => names.length === 0 || names.includes(name))
  const failed: string[] = []
  const waiting = [...chosen]
  const worker = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const { ok, line, output } = await perform(check)
      console.log(`${ok ? '✔' : '✖'} ${line}${ok ? '' : `\n${output}\n`}`)
      if (!ok) failed.push(check.name)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  console.log(
    failed.length === 0 ? `\nall ${chosen.length} checks passed` : `\n✖ failed: ${failed.join(', ')}`,
  )
  return failed.length === 0 ? 0 : 1
}

async function perform(check: Check): Promise<Result> {
  const startedAt = performance.now()
  const { code, output } = await runTool(check.command)
  const plain = stripVTControlCharacters(output)
  const count = check.counted.global
    ? String(plain.match(check.counted)?.length ?? 0)
    : (check.counted.exec(plain)?.[1] ?? '0')
  const hasChecked = Number.parseInt(count, 10) > 0
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const verdict = hasChecked ? `${count} ${check.what}` : 'checked nothing, so it has not passed'
  return {
    ok: code === 0 && hasChecked,
    line: `${check.name.padEnd(11)} ${seconds.padStart(5)} s  ${verdict}`,
    output: (check.noise === undefined ? output : plain.replaceAll(global(check.noise), '')).trim(),
  }
}

/** Runs one tool to its end. Tools that start `node` themselves get the pinned one. */
function runTool(command: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, {
      cwd: root,
      env: { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }))
  })
}

/** The script behind a tool's command, found by its package. */
function bin(command: string, from: string = command): string {
  const folder = join(root, 'node_modules', from)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly bin: string | Readonly<Record<string, string>>
  }
  return join(folder, typeof bin === 'string' ? bin : (bin[command] ?? command))
}

function global(pattern: RegExp): RegExp {
  return new RegExp(pattern.source, [...new Set(`${pattern.flags}g`)].join(''))
}
