// Reads the Dockerfile and .dockerignore as Docker does, as far as ours go, and lays out the file systems of the stages in folders.
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import { run } from './clients/tool.ts'

export type Stage = {
  /** Empty for the last stage, which has no name. */
  readonly name: string
  readonly steps: readonly Step[]
  readonly env: Readonly<Record<string, string>>
  /** What a container runs. */
  readonly command: readonly string[]
}

type Step =
  | { readonly kind: 'enter'; readonly folder: string }
  | {
      readonly kind: 'copy'
      /** The stage that has the sources; undefined: the context. */
      readonly from: string | undefined
      readonly sources: readonly string[]
      readonly to: string
    }
  | { readonly kind: 'run'; readonly command: string }

/** The stages of a Dockerfile. Throws at a line that this reader does not know. */
export function readStages(text: string): readonly Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const stages: { name: string; steps: Step[]; env: Record<string, string>; command: string[] }[] = []
  for (const line of lines) {
    const [, word = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    if (word === 'FROM')
      stages.push({ name: / AS (\w+)$/.exec(rest)?.[1] ?? '', steps: [], env: {}, command: [] })
    const stage = stages.at(-1)
    if (stage === undefined) throw new Error(`${line} is before the first stage`)
    if (word === 'ENV')
      for (const [, name = '', value = ''] of rest.matchAll(/(\w+)=(\S*)/g)) stage.env[name] = value
    else if (word === 'ENTRYPOINT' || word === 'CMD') stage.command.push(...(JSON.parse(rest) as string[]))
    else if (word === 'WORKDIR') stage.steps.push({ kind: 'enter', folder: rest })
    else if (word === 'RUN') stage.steps.push({ kind: 'run', command: rest })
    else if (word === 'COPY') stage.steps.push(copyStep(rest))
    else if (!['FROM', 'USER', 'EXPOSE', 'HEALTHCHECK'].includes(word))
      throw new Error(`${line} is not understood`)
  }
  return stages
}

function copyStep(text: string): Step {
  const [, from, paths = ''] = /^(?:--from=(\w+)\s+)?(.*)$/.exec(text) ?? []
  const names = paths.split(/\s+/)
  return { kind: 'copy', from, sources: names.slice(0, -1), to: names.at(-1) ?? '' }
}

/**
 * Which paths from the root belong to the build's context. The last pattern that matches a path, or a folder above it, decides
 * (docs.docker.com, "Dockerignore files").
 */
export function contextOf(ignored: string): (path: string) => boolean {
  const rules = ignored
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ leaves: line.startsWith('!'), pattern: patternOf(line.replace(/^!/, '')) }))
  return (path) => {
    const parts = path.split('/')
    const above = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
    const last = rules.findLast(({ pattern }) => above.some((each) => pattern.test(each)))
    return last === undefined || last.leaves
  }
}

function patternOf(text: string): RegExp {
  const source = text
    .replace(/^\//, '')
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\*\*\/|\*\*|\*|\?/g, (sign) =>
      sign === '**/' ? '(?:.*/)?' : sign === '**' ? '.*' : sign === '*' ? '[^/]*' : '[^/]',
    )
  return new RegExp(`^${source}$`)
}

/** Copies what the context has of a tree. */
export async function copyContext(root: string, ignored: string, into: string): Promise<void> {
  const belongs = contextOf(ignored)
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name)
      // Large, and left out by our list: what is below is not even looked at.
      if (entry.isDirectory() && !['node_modules', '.git', 'dist'].includes(entry.name)) await walk(path)
      else if (!entry.isDirectory() && belongs(path))
        await cp(join(root, path), join(into, path), { verbatimSymlinks: true })
    }
  }
  await walk('')
}

type Places = {
  readonly context: string
  /** The file systems of the stages before, by name. */
  readonly stages: ReadonlyMap<string, string>
  /** The folder with the packages that `npm install …` would install. */
  readonly packagesOf: (command: string) => string
}

/**
 * Lays out the file system of a stage in a new folder: copies, and runs what it runs in its folder. Packages are linked, not installed.
 * Throws when a source is missing, and for a command that would change the machine.
 */
export async function layOut(stage: Stage, folder: string, places: Places): Promise<void> {
  let here = folder
  for (const step of stage.steps) {
    if (step.kind === 'enter') {
      here = join(folder, step.folder)
      await mkdir(here, { recursive: true })
    } else if (step.kind === 'run') await runStep(step.command, { folder, here }, places)
    else {
      const from = step.from === undefined ? places.context : places.stages.get(step.from)
      if (from === undefined) throw new Error(`there is no stage ${step.from}`)
      for (const source of step.sources) {
        const path = join(from, source)
        const to = isAbsolute(step.to) ? join(folder, step.to) : resolve(here, step.to)
        const isInto = step.to.endsWith('/')
        await cp(path, isInto ? join(to, source.split('/').at(-1) ?? '') : to, {
          recursive: true,
          verbatimSymlinks: true,
        })
      }
    }
  }
}

async function runStep(
  command: string,
  { folder, here }: { readonly folder: string; readonly here: string },
  { packagesOf }: Places,
): Promise<void> {
  if (command.startsWith('npm install ')) {
    const packages = packagesOf(command)
    if (!existsSync(packages)) throw new Error(`there is no ${packages}`)
    await symlink(packages, join(here, 'node_modules'))
    return
  }
  const made = /^install --directory( --\w+=\w+)*(?<paths>( \/\S+)+)$/.exec(command)?.groups?.['paths']
  if (made !== undefined) {
    for (const path of made.trim().split(' '))
      await mkdir(join(folder, path), { recursive: true, mode: 0o700 })
    return
  }
  const [program, ...args] = command.split(' ')
  if (program !== 'node') throw new Error(`${command} is not run outside of a container`)
  await run([process.execPath, ...args], { cwd: here })
}
