// Which stored movement a reported one is. Pure. Banks write placeholders where an identifier belongs, and counters that restart every
// day: so an identifier counts only together with the day and all that the file says, and nothing is passed over but what is equal.
// Inspected by audit/rails/sepa-files.ts.
import { textFactsOf, type EntryFact } from './fact.ts'
import { idKinds, identifier, type EntryIds } from './ids.ts'

/** What a file reports, as far as it identifies the movement. */
export type Reported = {
  /** The place of its entry in the report; the transfers of one entry share it. */
  readonly entry: number
  readonly reference: string
  readonly part: number
  readonly isCredit: boolean
  readonly minor: bigint
  readonly currency: string
  readonly bookedOn: string
  readonly ids: EntryIds
  readonly remittance: readonly string[]
  readonly elsewhere?: readonly string[]
  readonly endToEndId?: string
  readonly returned?: { readonly reason: string }
  readonly party?: { readonly name?: string; readonly iban?: string }
}

/** A stored movement, as far as it is compared. */
export type Stored = {
  readonly reference: string
  readonly part: number
  readonly credit: boolean
  readonly minor: bigint
  readonly currency: string
  readonly bookedOn: string
  readonly statement: number | null
  /** Without `ids`: stored by an earlier program, which knew only AcctSvcrRef. */
  readonly fact: EntryFact
  readonly names: readonly string[]
}

export type Verdict<Row extends Stored = Stored> =
  /** It is these rows: one, or all transfers of a collected entry. */
  | { readonly kind: 'known'; readonly rows: readonly Row[] }
  | { readonly kind: 'new' }
  /** It has the name of another movement and is not certainly another one: a person decides. `twin`: that one is in the same report. */
  | { readonly kind: 'held'; readonly like?: Row; readonly twin?: Reported }

/**
 * Decides each movement of a report. `stored`: what may be meant, of the same currency. `statement`: the number of the statement that
 * the report is; undefined for a notification.
 */
export function identify<Row extends Stored>(
  reported: readonly Reported[],
  stored: readonly Row[],
  statement: number | undefined,
): readonly Verdict<Row>[] {
  const state: State<Row> = {
    statement,
    free: new Set(stored),
    byMoney: Map.groupBy(stored, ({ bookedOn, minor }) => moneyKey(bookedOn, minor)),
    byId: indexed(stored, (row) => [...Object.values(idsOf(row)), ...(isOld(row) ? row.names : [])]),
    found: new Map(),
  }
  claimCollected(state, reported)
  // What is equal in all of it first, so that nothing less takes its place.
  claimEach(state, reported, (each, row) => isNamed(each, row) && comparison(each, row) === 'equal')
  claimEach(state, reported, (each, row) => isSameByContent(state, each, row))
  claimEach(state, reported, (each, row) => isNamed(each, row) && isEnough(state, each, row))
  const before = new Map<string, Reported[]>()
  return reported.map((each) => {
    const verdict = state.found.get(each) ?? undecided(state, each, before)
    for (const id of new Set(Object.values(each.ids))) before.set(id, [...(before.get(id) ?? []), each])
    return verdict
  })
}

type State<Row extends Stored> = {
  readonly statement: number | undefined
  /** Each stored movement is claimed once. */
  readonly free: Set<Row>
  readonly byMoney: ReadonlyMap<string, readonly Row[]>
  readonly byId: ReadonlyMap<string, readonly Row[]>
  readonly found: Map<Reported, Verdict<Row>>
}

function moneyKey(bookedOn: string, minor: bigint): string {
  return `${bookedOn} ${minor}`
}

function indexed<Each>(
  all: readonly Each[],
  keysOf: (each: Each) => readonly string[],
): ReadonlyMap<string, readonly Each[]> {
  const index = new Map<string, Each[]>()
  for (const each of all)
    for (const key of new Set(keysOf(each))) {
      const found = index.get(key)
      if (found === undefined) index.set(key, [each])
      else found.push(each)
    }
  return index
}

/** A statement does not report what another one has: each balance moved by its own. */
function mayBe<Row extends Stored>({ statement }: State<Row>, row: Row): boolean {
  return statement === undefined || row.statement === null || row.statement === statement
}

function isNamed(each: Reported, row: Stored): boolean {
  return relationOf(each, row) === 'same'
}

function claimEach<Row extends Stored>(
  state: State<Row>,
  reported: readonly Reported[],
  isSame: (each: Reported, row: Row) => boolean,
): void {
  for (const each of reported) {
    if (state.found.has(each)) continue
    const rows = state.byMoney.get(moneyKey(each.bookedOn, each.minor)) ?? []
    const row = rows.find((one) => state.free.has(one) && mayBe(state, one) && isSame(each, one))
    if (row === undefined) continue
    state.free.delete(row)
    state.found.set(each, { kind: 'known', rows: [row] })
  }
}

/** A statement may show as one entry what a notification reported transfer by transfer, and the other way round. */
function claimCollected<Row extends Stored>(state: State<Row>, reported: readonly Reported[]): void {
  for (const [, parts] of Map.groupBy(reported, ({ entry }) => entry)) {
    const [first] = parts
    const id = first === undefined ? undefined : entryIdOf(first.ids)
    if (first === undefined || id === undefined) continue
    const rows = (state.byId.get(id) ?? []).filter(
      (row) =>
        state.free.has(row) &&
        row.bookedOn === first.bookedOn &&
        mayBe(state, row) &&
        entryIdOf(idsOf(row)) === id,
    )
    for (const [, group] of Map.groupBy(rows, ({ reference }) => reference)) {
      const isOther = (parts.length === 1) !== (group.length === 1)
      if (!isOther || sumOf(parts.map(asSigned)) !== sumOf(group)) continue
      for (const row of group) state.free.delete(row)
      for (const part of parts) state.found.set(part, { kind: 'known', rows: group })
      break
    }
  }
}

function entryIdOf({ entry, transfer }: EntryIds): string | undefined {
  return entry ?? transfer
}

function asSigned({ isCredit, minor }: Reported): { readonly credit: boolean; readonly minor: bigint } {
  return { credit: isCredit, minor }
}

/** What movements change on the account together. */
function sumOf(rows: readonly { readonly credit: boolean; readonly minor: bigint }[]): bigint {
  return rows.reduce((sum, { credit, minor }) => sum + (credit ? minor : -minor), 0n)
}

/**
 * Whether less than all is enough under one identifier: a statement may say less than a notification, or more. Two notifications are
 * held against each other word by word, but not against what an earlier program stored, which kept less of the words.
 */
function isEnough<Row extends Stored>({ statement }: State<Row>, each: Reported, row: Row): boolean {
  const isOfTwoKinds = statement !== undefined || row.statement !== null || isOld(row)
  return isOfTwoKinds && comparison(each, row) !== 'different'
}

/** Without an identifier that both have: equal in all of it, once for each occurrence. */
function isSameByContent<Row extends Stored>(state: State<Row>, each: Reported, row: Row): boolean {
  if (relationOf(each, row) !== 'none') return false
  const isNameless = !hasIds(each.ids) && !hasIds(idsOf(row))
  const isOfTwoKinds = state.statement !== undefined || row.statement !== null
  const compared = comparison(each, row)
  return (isNameless || isOfTwoKinds) && (compared === 'equal' || (isOld(row) && compared === 'agrees'))
}

/** What nothing stored is: another movement, or one that a person has to look at. `before`: what the report has before it, by identifier. */
function undecided<Row extends Stored>(
  { byId, byMoney, found }: State<Row>,
  each: Reported,
  before: ReadonlyMap<string, readonly Reported[]>,
): Verdict<Row> {
  const ids = Object.values(each.ids)
  const rows = [
    ...ids.flatMap((id) => byId.get(id) ?? []),
    ...(byMoney.get(moneyKey(each.bookedOn, each.minor)) ?? []),
  ]
  const like = rows.find((row) => isSuspect(each, row))
  if (like !== undefined) return { kind: 'held', like }
  const twin = ids
    .flatMap((id) => before.get(id) ?? [])
    // The transfers of one entry may share its identifier.
    .find((other) => other.entry !== each.entry && isSuspect(each, storedAs(other)))
  if (twin === undefined) return { kind: 'new' }
  const verdict = found.get(twin)
  const known = verdict?.kind === 'known' ? verdict.rows[0] : undefined
  return known === undefined ? { kind: 'held', twin } : { kind: 'held', like: known }
}

/**
 * - A known identifier of the same day says that it is the known movement, and the rest says that it is not.
 * - On another day it is another movement, because counters restart; but not certainly, if all the rest is the same.
 * - Without an identifier that both have, the same words of one day may be one movement or two.
 */
function isSuspect(each: Reported, row: Stored): boolean {
  const relation = relationOf(each, row)
  const isOfDay = each.bookedOn === row.bookedOn
  if (relation === 'same') return isOfDay || comparison(each, row) !== 'different'
  return (
    relation === 'none' &&
    isOfDay &&
    hasIds(each.ids) !== hasIds(idsOf(row)) &&
    (comparison(each, row) === 'equal' || (isOld(row) && comparison(each, row) === 'agrees'))
  )
}

function storedAs({ isCredit, endToEndId, returned, party, ids, ...each }: Reported): Stored {
  const fact = { ...textFactsOf(each), ids, endToEndId, returned, party } as EntryFact
  return { ...each, credit: isCredit, fact, statement: null, names: [] }
}

type Relation = 'same' | 'other' | 'none'

/** By the first identifier that both have. */
function relationOf(each: Reported, row: Stored): Relation {
  if (each.isCredit !== row.credit || each.currency !== row.currency) return 'other'
  if (isOld(row)) return relationOfOld(each.ids, row)
  const ids = idsOf(row)
  for (const kind of idKinds)
    if (each.ids[kind] !== undefined && ids[kind] !== undefined)
      return each.ids[kind] === ids[kind] ? 'same' : 'other'
  return 'none'
}

/** An earlier program named an entry by AcctSvcrRef, of the entry or of its transfer, and kept the other identifiers without their kinds. */
function relationOfOld({ transfer, entry, txId, uetr }: EntryIds, row: Stored): Relation {
  const name = idsOf(row).entry
  const isAmong = (id: string | undefined) => id !== undefined && row.names.includes(id)
  if (name !== undefined && (entry ?? transfer) !== undefined)
    return name === entry || name === transfer ? 'same' : 'other'
  return isAmong(transfer) || isAmong(txId) || isAmong(uetr) ? 'same' : 'none'
}

/** Whether an earlier program stored it, which kept fewer identifiers and words. */
export function isOld({ fact }: Pick<Stored, 'fact'>): boolean {
  return fact.ids === undefined
}

function idsOf({ fact, reference, currency }: Stored): EntryIds {
  if (fact.ids !== undefined) return fact.ids
  const name = currency === 'EUR' ? reference : reference.slice(0, -1 - currency.length)
  const entry = identifier(name)
  return entry === undefined ? {} : { entry }
}

function hasIds(ids: EntryIds): boolean {
  return idKinds.some((kind) => ids[kind] !== undefined)
}

type Comparison = 'equal' | 'agrees' | 'different'

/** Compares all that two files say. `agrees`: one says less than the other. */
function comparison(each: Reported, row: Stored): Comparison {
  if (each.isCredit !== row.credit || each.minor !== row.minor) return 'different'
  const { fact } = row
  const ids = idsOf(row)
  const compared = [
    compareText(each.endToEndId, fact.endToEndId),
    compareText(each.party?.iban, fact.party?.iban),
    compareText(each.party?.name, fact.party?.name),
    compareWords(each.remittance.join(' '), fact.remittance),
    compareReason(each.returned?.reason, fact.returned?.reason),
    ...(isOld(row) ? [] : idKinds.map((kind) => compareId(each.ids[kind], ids[kind]))),
    ...(isOld(row) ? [] : [compareWords((each.elsewhere ?? []).join(' '), fact.elsewhere ?? '')]),
  ]
  if (compared.includes('different')) return 'different'
  return compared.includes('agrees') ? 'agrees' : 'equal'
}

function compareId(is: string | undefined, was: string | undefined): Comparison {
  if (is === was) return 'equal'
  return is === undefined || was === undefined ? 'agrees' : 'different'
}

function compareText(is: string | undefined, was: string | undefined): Comparison {
  return compareId(squeezed(is), squeezed(was))
}

/** A bank may add words of its own in one of its files. */
function compareWords(is: string, was: string): Comparison {
  const [one, other] = [squeezed(is) ?? '', squeezed(was) ?? '']
  if (one === other) return 'equal'
  return one.includes(other) || other.includes(one) ? 'agrees' : 'different'
}

function compareReason(is: string | undefined, was: string | undefined): Comparison {
  if (is === was) return 'equal'
  const isOpen = [is, was].some((each) => each === undefined || each === 'no reason')
  return isOpen ? 'agrees' : 'different'
}

/** Banks cut lines anywhere and change capitals. */
function squeezed(text: string | undefined): string | undefined {
  const bare = text?.toUpperCase().replaceAll(/\s/g, '')
  return bare === '' ? undefined : bare
}
