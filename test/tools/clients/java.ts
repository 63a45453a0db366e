// openapi-generator for Java, with its usual HTTP client: the one for the JDK's own does not compile with a query parameter of many keys. The jar comes from Maven Central, and its hash is checked.
import { createHash } from 'node:crypto'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { run, type ClientTool } from './tool.ts'

const version = '7.25.0'
const jar = `openapi-generator-cli-${version}.jar`
const source = `https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli/${version}/${jar}`
const sha256 = '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae'

// A list that is not set is absent: by default the client would send an empty one.
const properties = [
  'invokerPackage=dev.vintem',
  'apiPackage=dev.vintem.api',
  'modelPackage=dev.vintem.model',
  'containerDefaultToNull=true',
]

export const java: ClientTool = {
  name: 'openapi-generator, Java',
  programs: [
    ['java', '-version'],
    ['mvn', '-version'],
  ],
  async install(folder) {
    const path = join(folder, jar)
    const kept = await readFile(path).catch(() => undefined)
    if (kept !== undefined && hashOf(kept) === sha256) return
    const answer = await fetch(source)
    if (!answer.ok) throw new Error(`${source} answers ${answer.status}`)
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (hashOf(bytes) !== sha256) throw new Error(`${source} is not what it was: ${hashOf(bytes)}`)
    await writeFile(path, bytes)
  },
  async generate(folder, document) {
    await rm(join(folder, 'client'), { recursive: true, force: true })
    const options = ['-g', 'java', '--additional-properties', properties.join(',')]
    await run(['java', '-jar', jar, 'generate', '-i', document, '-o', 'client', ...options], { cwd: folder })
  },
  async compile(folder, journey) {
    const client = join(folder, 'client')
    await copyFile(journey, join(client, 'src', 'main', 'java', 'dev', 'vintem', 'Journey.java'))
    const libraries = ['dependency:copy-dependencies', '-DoutputDirectory=target/libraries']
    await run(['mvn', '-q', '-B', '-DskipTests', 'compile', ...libraries], { cwd: client })
  },
  journey: {
    file: 'Journey.java',
    command: (folder) => {
      const target = join(folder, 'client', 'target')
      return [
        'java',
        '-cp',
        [join(target, 'classes'), join(target, 'libraries', '*')].join(delimiter),
        'dev.vintem.Journey',
      ]
    },
  },
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
