// The SDK as npm publishes it, installed into a project.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** Packs the SDK and installs it into an empty project in `folder`. */
export async function installPackedSdk(folder: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }')
  const env = { ...process.env, npm_config_ignore_scripts: 'false' }
  await run('npm', ['pack', '--pack-destination', folder], { cwd: join(root, 'sdk/typescript'), env })
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', './vintem-sdk-0.1.0.tgz'], {
    cwd: folder,
  })
}

/** Copies an example beside the packed SDK, with the other packages that it needs. */
export async function installExample(
  name: string,
  folder: string,
  packages: readonly string[],
): Promise<void> {
  await installPackedSdk(folder)
  await cp(join(root, 'examples', name), folder, {
    recursive: true,
    filter: (path) => !/node_modules|\.db|package\.json$/.test(path),
  })
  for (const each of packages) {
    const target = join(folder, 'node_modules', each)
    await mkdir(join(target, '..'), { recursive: true })
    if (!existsSync(target)) await symlink(join(root, 'node_modules', each), target)
  }
}
