// Makes dist/: one CommonJS file with the SDK inside, and the types of the options. `npm pack` calls it. Bundler and compiler are the
// repository's own. CommonJS, because a Medusa project loads providers by `require`, and Jest, which runs its tests, can load nothing else.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const here = import.meta.dirname
const root = join(here, '../..')
const compiler = join(root, 'node_modules/typescript')
if (!existsSync(compiler)) {
  // A start does not install it.
  process.stderr.write(
    "The compiler is missing. In the repository's folder run: node scripts/install.mjs --all\n",
  )
  process.exit(1)
}
// After the check: without any package there is no bundler either.
const { rolldown } = await import('rolldown')
rmSync(join(here, 'dist'), { recursive: true, force: true })

const build = await rolldown({ input: join(here, 'src/medusa.ts'), platform: 'node' })
await build.write({ file: join(here, 'dist/medusa.cjs'), format: 'cjs', exports: 'named' })
await build.close()

const { bin } = JSON.parse(readFileSync(join(compiler, 'package.json'), 'utf8'))
const flags = ['--declaration', '--emitDeclarationOnly', '--ignoreConfig', '--target', 'es2023', '--strict']
execFileSync(
  process.execPath,
  [join(compiler, bin.tsc), ...flags, '--outDir', join(here, 'dist'), join(here, 'src/options.ts')],
  { stdio: 'inherit' },
)
renameSync(join(here, 'dist/options.d.ts'), join(here, 'dist/options.d.cts'))
// The licence requires its text in every copy, also of the SDK.
copyFileSync(join(root, 'LICENSE'), join(here, 'dist/LICENSE'))
