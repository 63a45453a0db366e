// A copy of the tree in which a test adds what a new rail or method needs: files, and a line in each list that ARCHITECTURE names.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')

/** A line of a list, with the text behind which it goes. With no such text it goes to the beginning of the file. */
export type AddedLine = { readonly file: string; readonly behind: string; readonly line: string }

/** A line of a list, with the import of the name in it. */
export function listed(
  file: string,
  behind: string,
  line: string,
  { name, from }: { readonly name: string; readonly from: string },
): readonly AddedLine[] {
  return [
    { file, behind, line },
    { file, behind: '', line: `import { ${name} } from '${from}'\n` },
  ]
}

export type CopiedTree = AsyncDisposable & {
  /** Runs a program in it, and fails with what it printed. */
  run(program: string, ...args: readonly string[]): Promise<void>
  write(file: string, text: string): Promise<void>
}

/** `added`: by the path in the tree, the name of a file in the folder `fixtures`. */
export async function copyTree(
  fixtures: string,
  added: Readonly<Record<string, string>>,
  lines: readonly AddedLine[],
): Promise<CopiedTree> {
  const tree = await mkdtemp(path.join(tmpdir(), 'vintem-tree-'))
  for (const name of ['src', 'web', 'test', 'simulators', 'scripts', 'contracts', 'migrations', 'docs'])
    await cp(path.join(root, name), path.join(tree, name), { recursive: true })
  for (const name of ['package.json', 'tsconfig.json', 'openapi.json'])
    await cp(path.join(root, name), path.join(tree, name))
  await symlink(path.join(root, 'node_modules'), path.join(tree, 'node_modules'))
  for (const [file, fixture] of Object.entries(added)) {
    await mkdir(path.dirname(path.join(tree, file)), { recursive: true })
    await cp(path.join(fixtures, fixture), path.join(tree, file))
  }
  for (const { file, behind, line } of lines) {
    const place = path.join(tree, file)
    const text = await readFile(place, 'utf8')
    assert.ok(behind === '' || text.split(behind).length === 2, `${file} has ${behind} once`)
    await writeFile(place, behind === '' ? line + text : text.replace(behind, () => `${behind}${line}`))
  }
  return {
    async run(program, ...args) {
      // The runner of this test would mistake the other one's report for its own.
      const { NODE_TEST_CONTEXT: _, ...env } = process.env
      const child = spawn(program, args, { cwd: tree, env, stdio: ['ignore', 'pipe', 'pipe'] })
      let printed = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (part: Buffer) => (printed += part.toString('utf8')))
      const [code] = (await once(child, 'close')) as [number | null]
      assert.equal(code, 0, printed.slice(-6_000))
    },
    write: (file, text) => writeFile(path.join(tree, file), text),
    [Symbol.asyncDispose]: () => rm(tree, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** Whether the compiler finds nothing missing in the tree's own code, in its pages, and in this test. */
export async function compiles(tree: CopiedTree, test: string): Promise<void> {
  const tsc = path.join(root, 'node_modules/.bin/tsc')
  const sources = { extends: './tsconfig.json', include: ['src', test] }
  await tree.write('tsconfig.sources.json', JSON.stringify(sources))
  await tree.run(process.execPath, tsc, '--noEmit', '-p', 'tsconfig.sources.json')
  await tree.run(process.execPath, tsc, '--noEmit', '-p', 'web/checkout')
}
