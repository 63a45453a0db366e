// Compiles src/ into dist/, with types: `npm pack` calls it. The compiler is the repository's own.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const here = import.meta.dirname
const compiler = join(here, '../../node_modules/typescript')
const { bin } = JSON.parse(readFileSync(join(compiler, 'package.json'), 'utf8'))
rmSync(join(here, 'dist'), { recursive: true, force: true })
execFileSync(process.execPath, [join(compiler, bin.tsc), '-p', here], { stdio: 'inherit' })
