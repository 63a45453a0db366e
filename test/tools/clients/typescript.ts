// @hey-api/openapi-ts, in a tree of its own with TypeScript 5: ours is newer, and most shops' is not.
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run, type ClientTool } from './tool.ts'

const manifest = {
  name: 'journey',
  private: true,
  type: 'commonjs',
  devDependencies: { '@hey-api/openapi-ts': '0.99.0', '@types/node': '24.10.1', typescript: '5.9.3' },
}

const settings = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'node16',
    types: ['node'],
    strict: true,
    outDir: 'out',
  },
  files: ['journey.ts'],
}

export const typescript: ClientTool = {
  name: '@hey-api/openapi-ts',
  programs: [['npm', '--version']],
  async install(folder) {
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings, null, 2))
    await run(['npm', 'install', '--no-audit', '--no-fund'], { cwd: folder })
  },
  async generate(folder, document) {
    const generator = join('node_modules', '@hey-api', 'openapi-ts', 'bin', 'run.js')
    await run([process.execPath, generator, '-i', document, '-o', 'client'], { cwd: folder })
  },
  async compile(folder, journey) {
    await copyFile(journey, join(folder, 'journey.ts'))
    await run([process.execPath, join('node_modules', 'typescript', 'bin', 'tsc'), '-p', '.'], {
      cwd: folder,
    })
  },
  journey: { file: 'journey.ts.txt', command: () => [process.execPath, join('out', 'journey.js')] },
}
