// oapi-codegen. It needs a newer Go than many machines have, which Go fetches through its proxy when permitted.
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run, type ClientTool } from './tool.ts'

const generator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'

const module = `module journey

go 1.25.0

require github.com/oapi-codegen/runtime v1.8.0
`

const env = { GOTOOLCHAIN: 'auto', GOFLAGS: '-mod=mod' }

export const go: ClientTool = {
  name: 'oapi-codegen',
  programs: [['go', 'version']],
  async install(folder) {
    await mkdir(join(folder, 'vintem'), { recursive: true })
    await writeFile(join(folder, 'go.mod'), module)
    await run(['go', 'run', generator, '-version'], { cwd: folder, env })
  },
  async generate(folder, document) {
    const output = join('vintem', 'client.gen.go')
    const options = ['-generate', 'types,client', '-package', 'vintem', '-o', output]
    await run(['go', 'run', generator, ...options, document], { cwd: folder, env })
  },
  async compile(folder, journey) {
    await copyFile(journey, join(folder, 'main.go'))
    await run(['go', 'vet', './...'], { cwd: folder, env })
    await run(['go', 'build', '-o', 'journey', '.'], { cwd: folder, env })
  },
  journey: { file: 'journey.go', command: (folder) => [join(folder, 'journey')] },
}
