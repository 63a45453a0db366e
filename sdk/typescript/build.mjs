// Compiles src/ into dist/, and for CommonJS into dist/cjs/, both with types: `npm pack` calls it. The compiler is the repository's own. With --code-only Node removes the types,
// nothing is checked, and there is no CommonJS: `npm run shop` needs no compiler, so that a start does not download one.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  const compile = (project) =>
    execFileSync(process.execPath, [join(compiler, bin.tsc), '-p', project], { stdio: 'inherit' })
  compile(here)
  compileCommonJs(compile)
}

/** The nearest package.json says what kind of module a file is, to compilers and to Node. So a copy is compiled, whose package.json says it. */
function compileCommonJs(compile) {
  const [copy, target] = [join(here, 'dist', 'source'), join(here, 'dist', 'cjs')]
  const kind = JSON.stringify({ type: 'commonjs' })
  cpSync(join(here, 'src'), copy, { recursive: true, filter: (path) => !path.endsWith('.test.ts') })
  writeFileSync(join(copy, 'package.json'), kind)
  writeFileSync(
    join(copy, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../tsconfig.json',
      compilerOptions: { rootDir: '.', outDir: '../cjs', verbatimModuleSyntax: false },
      include: ['.'],
      exclude: [],
    }),
  )
  compile(copy)
  rmSync(copy, { recursive: true })
  writeFileSync(join(target, 'package.json'), kind)
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
