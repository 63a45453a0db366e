// Compiles src/ into dist/, with types: `npm pack` calls it. The compiler is the repository's own. With --code-only Node removes the types
// and nothing is checked: `npm run shop` needs no compiler, so that a start does not download one.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

const here = import.meta.dirname
const compiler = join(here, '../../node_modules/typescript')
const isCodeOnly = process.argv.includes('--code-only')
if (!isCodeOnly && !existsSync(compiler)) {
  // A start does not install it.
  process.stderr.write(
    "The compiler is missing. In the repository's folder run: node scripts/install.mjs --all\n",
  )
  process.exit(1)
}
rmSync(join(here, 'dist'), { recursive: true, force: true })
if (isCodeOnly) removeTypes()
else {
  const { bin } = JSON.parse(readFileSync(join(compiler, 'package.json'), 'utf8'))
  execFileSync(process.execPath, [join(compiler, bin.tsc), '-p', here], { stdio: 'inherit' })
}

function removeTypes() {
  // Node warns that this function may change. The journey of the shop would notice.
  process.removeAllListeners('warning')
  for (const file of globSync('**/*.ts', { cwd: join(here, 'src'), exclude: ['**/*.test.ts'] })) {
    const code = stripTypeScriptTypes(readFileSync(join(here, 'src', file), 'utf8'))
    const target = join(here, 'dist', file.replace(/\.ts$/, '.js'))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(
      target,
      code.replace(/(from '\.{1,2}\/[^'\n]*)\.ts'/g, (_, start) => `${start}.js'`),
    )
  }
}
