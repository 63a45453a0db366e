// Imports the files that a bank's program puts into a folder, in the order of their names, and moves each to a folder for its
// result.
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Log } from '#/kernel/log.ts'
import { handIn } from './hand-in.ts'
import type { ImportDeps, Imported } from './import.ts'
import { fileBytesMax } from './xml.ts'

/** The most files of one pass, so that other work is not delayed. */
const filesMax = 50

/**
 * Imports the files that are in the folder now. Each file moves to `imported`, or to `refused` with a text file of the reason
 * beside it. The program that delivers a file must write it elsewhere and then move it here whole. Returns the number of files.
 * Throws what went wrong with one of them only after all others were tried.
 */
export async function importFolder(
  deps: ImportDeps & { readonly log: Log },
  folder: string,
): Promise<number> {
  const names = (await readdir(folder)).filter((name) => /\.(?:xml|zip)$/i.test(name)).toSorted()
  let imported = 0
  const failures: unknown[] = []
  for (const name of names) {
    if (imported === filesMax) break
    const failure = await failureOf(deps, folder, name)
    if (failure === undefined) imported += 1
    else if (failure.error !== undefined) failures.push(failure.error)
  }
  if (failures.length > 0) throw failures[0]
  return imported
}

/** Undefined: it was imported or refused. Otherwise the file stays, and does not stop the files after it. */
async function failureOf(
  deps: ImportDeps & { readonly log: Log },
  folder: string,
  name: string,
): Promise<{ readonly error?: unknown } | undefined> {
  try {
    await importOne(deps, folder, name)
    return undefined
  } catch (error) {
    const code = fileFault(error)
    if (code === undefined) return { error }
    // Another worker was faster.
    if (code !== 'ENOENT') deps.log.error({ file: name, code }, "a bank's file could not be read or moved")
    return {}
  }
}

/** The code of an error of the file system; undefined for any other error. */
function fileFault(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && 'syscall' in error ? String(error.code) : undefined
}

async function importOne(
  deps: ImportDeps & { readonly log: Log },
  folder: string,
  name: string,
): Promise<void> {
  const from = path.join(folder, name)
  const imported = await judge(deps, from, name)
  const place = path.join(folder, imported.state === 'REFUSED' ? 'refused' : 'imported')
  await mkdir(place, { recursive: true })
  if (imported.state === 'REFUSED') {
    deps.log.error({ file: name, reason: imported.reason }, "a bank's file was refused")
    await writeFile(path.join(place, `${name}.reason.txt`), `${imported.reason}\n`)
  }
  // Moved last: after a crash the file is imported again, and importing a file twice changes nothing.
  await rename(from, path.join(place, name))
}

async function judge(deps: ImportDeps, from: string, name: string): Promise<Imported> {
  const { size } = await stat(from)
  if (size > fileBytesMax) return { state: 'REFUSED', reason: `it is larger than ${fileBytesMax} bytes` }
  return handIn(deps, { bytes: await readFile(from), name, by: 'folder' })
}
