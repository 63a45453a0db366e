// START HERE for a file that somebody hands in: a command, the console, a folder and a signed call all come through this one door. It
// unpacks what banks pack, and sees to it that no fault of one file holds up another.
import { classify } from '#/db/failure.ts'
import { messageOf } from '#/kernel/error.ts'
import { importFile, type HandedIn, type ImportDeps, type Imported } from './import.ts'
import { UnreadableFile } from './unreadable.ts'
import { isZip, unzip, type Packed } from './zip.ts'

/**
 * Imports a file, or each file of a ZIP by itself, in the order of their names. It throws only when the database cannot be asked now:
 * any other fault is the file's, which is refused with the reason.
 */
export async function handIn(deps: ImportDeps, handedIn: HandedIn): Promise<Imported> {
  if (!isZip(handedIn.bytes)) return importOne(deps, handedIn)
  const files = unpacked(handedIn.bytes)
  if (!Array.isArray(files)) return files
  const results: Named[] = []
  for (const { name, bytes } of files)
    results.push({
      name,
      imported: await importOne(deps, { ...handedIn, bytes, name: nameIn(handedIn, name) }),
    })
  return resultOf(results)
}

async function importOne(deps: ImportDeps, handedIn: HandedIn): Promise<Imported> {
  try {
    return await importFile(deps, handedIn)
  } catch (error) {
    if (classify(error) !== 'poison') throw error
    return { state: 'REFUSED', reason: `it cannot be imported, by a fault of ours: ${messageOf(error)}` }
  }
}

function unpacked(bytes: Buffer): Packed[] | (Imported & { readonly state: 'REFUSED' }) {
  try {
    const files = [...unzip(bytes)]
    return files.length > 0 ? files : { state: 'REFUSED', reason: 'it is a ZIP without a file' }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    return { state: 'REFUSED', reason: error.message }
  }
}

/** The name of a file in a ZIP, as a person finds it among the files that were handed in. */
function nameIn({ name: outer }: HandedIn, name: string): string {
  return `${outer}/${name}`.slice(0, nameMax)
}

const nameMax = 255

type Named = { readonly name: string; readonly imported: Imported }

/**
 * The result of a whole ZIP. Files of accounts that are not connected are left out, as in a file of several accounts. If any other is
 * refused, the ZIP is: it can come again, because what was imported of it is then known.
 */
function resultOf(results: readonly Named[]): Imported {
  const refused = results.flatMap(({ name, imported }) =>
    imported.state === 'REFUSED' ? [{ name, ...imported }] : [],
  )
  const others = refused.filter(({ isOthers }) => isOthers === true)
  const [first] = refused
  if (first !== undefined && others.length === results.length)
    return { state: 'REFUSED', reason: first.reason }
  if (refused.length > others.length) {
    const reasons = refused
      .filter(({ isOthers }) => isOthers !== true)
      .map((each) => `${each.name}: ${each.reason}`)
    const taken = results.length - refused.length
    const more = reasons.length > shownMax ? `; and ${reasons.length - shownMax} more` : ''
    const of = `${reasons.length} of ${results.length} files in it were refused, ${taken} were imported`
    return { state: 'REFUSED', reason: `${of}: ${reasons.slice(0, shownMax).join('; ')}${more}` }
  }
  const message = [
    ...new Set(results.flatMap(({ imported }) => ('message' in imported ? imported.message : []))),
  ].join(', ')
  const imported = results.flatMap((each) => (each.imported.state === 'IMPORTED' ? [each.imported] : []))
  if (imported.length === 0) return { state: 'KNOWN', message }
  const sum = (of: (each: (typeof imported)[number]) => number) =>
    imported.reduce((all, each) => all + of(each), 0)
  const seen = sum((each) => each.seen ?? 0)
  const raised = imported.flatMap((each) => each.raised ?? []).join('; ')
  return {
    state: 'IMPORTED',
    message,
    movements: sum((each) => each.movements),
    paid: sum((each) => each.paid),
    proposed: sum((each) => each.proposed),
    held: sum((each) => each.held),
    foreign: sum((each) => each.foreign),
    skipped: sum((each) => each.skipped) + others.length,
    ...(seen === 0 ? {} : { seen }),
    ...(raised === '' ? {} : { raised }),
  }
}

/** At most this many refused files of a ZIP are named. */
const shownMax = 5
