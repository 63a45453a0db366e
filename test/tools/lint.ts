// The recommended rules of Redocly and Spectral for openapi.json: no error and no warning. What the rule sets in lint/ change is
// explained in decision 107.
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from './clients/tool.ts'

const manifest = {
  name: 'lint',
  private: true,
  devDependencies: { '@redocly/cli': '2.77.0', '@stoplight/spectral-cli': '6.16.3' },
}

const rules = join(import.meta.dirname, 'lint')

/** Throws with what the linters find. They read copies in the folder: Spectral finds the places of its exceptions beside its rules. */
export async function lint(folder: string, document: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  await run(['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  await copyFile(document, join(folder, 'openapi.json'))
  for (const name of ['redocly.yaml', 'spectral.yaml']) await copyFile(join(rules, name), join(folder, name))
  const modules = join(folder, 'node_modules')
  const redocly = [join(modules, '@redocly', 'cli', 'bin', 'cli.js'), 'lint', 'openapi.json', '--format=json']
  const printed = await run([process.execPath, ...redocly], {
    cwd: folder,
    env: { REDOCLY_TELEMETRY: 'off' },
  })
  // It ends well with warnings.
  const { problems } = JSON.parse(printed) as { readonly problems: readonly unknown[] }
  if (problems.length > 0) throw new Error(JSON.stringify(problems, null, 2))
  const spectral = [join(modules, '@stoplight', 'spectral-cli', 'dist', 'index.js'), 'lint', 'openapi.json']
  await run([process.execPath, ...spectral, '--ruleset=spectral.yaml', '--fail-severity=hint'], {
    cwd: folder,
  })
}
