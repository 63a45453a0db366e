// openapi-python-client in a virtual environment. The client is checked by mypy: Python itself compiles anything.
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run, type ClientTool } from './tool.ts'

const packages = ['openapi-python-client==0.29.1', 'mypy==2.4.1', 'types-python-dateutil==2.9.0.20251115']

const inside = (folder: string, program: string) => join(folder, 'venv', 'bin', program)

// The generator's last step is a formatter, which is left out; any other warning is a failure. The generator accepts a body only of a media
// type that it knows, so the table of withdrawals (CSV) is treated as `application/octet-stream`, which is sent as it is.
const settings = `post_hooks: []
content_type_overrides:
  text/csv: application/octet-stream
`

export const python: ClientTool = {
  name: 'openapi-python-client',
  programs: [['python3', '--version']],
  async install(folder) {
    await run(['python3', '-m', 'venv', '--clear', 'venv'], { cwd: folder })
    await run([inside(folder, 'pip'), 'install', '--quiet', ...packages], { cwd: folder })
  },
  async generate(folder, document) {
    await writeFile(join(folder, 'config.yml'), settings)
    const options = ['--output-path', 'client', '--overwrite', '--fail-on-warning', '--config', 'config.yml']
    await run([inside(folder, 'openapi-python-client'), 'generate', '--path', document, ...options], {
      cwd: folder,
    })
  },
  async compile(folder, journey) {
    await copyFile(journey, join(folder, 'client', 'journey.py'))
    const cwd = join(folder, 'client')
    await run([inside(folder, 'python'), '-m', 'compileall', '-q', 'vintem_client', 'journey.py'], { cwd })
    await run([inside(folder, 'mypy'), '--strict', 'journey.py'], { cwd })
  },
  journey: {
    file: 'journey.py',
    command: (folder) => [inside(folder, 'python'), join('client', 'journey.py')],
  },
}
