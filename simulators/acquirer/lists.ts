// Lists, newest first, page by page.
import { badParam, missing } from './api-error.ts'
import { integerOf, nameOf, textOf, under, type Params } from './params.ts'

/** An object without a time of its own has the time of its parent, and cannot be filtered by it. */
type Entry = { readonly id: string; readonly created?: number }

/** `entries`: in the order of the list. `url`: the list's address. `passesFilter`: the call's other filters. */
export function pageOf<T extends Entry>(
  entries: readonly T[],
  params: Params,
  url: string,
  passesFilter: (entry: T) => boolean = () => true,
) {
  const isWithin = createdFilter(params)
  const within = entries.filter((entry) => isWithin(entry) && passesFilter(entry))
  const limit = integerOf(params, 'limit', 1, 100) ?? 10
  const after = textOf(params, 'starting_after')
  const before = textOf(params, 'ending_before')
  if (after !== undefined && before !== undefined)
    throw badParam(
      'starting_after',
      'You may only specify one of these parameters: starting_after, ending_before.',
      'parameters_exclusive',
    )
  const place = (id: string, name: string) => {
    // A cursor may be an object that the filter hides.
    const all = entries.findIndex((each) => each.id === id)
    if (all === -1) throw missing('object', id, name)
    return new Set(entries.slice(0, all + 1).map((each) => each.id))
  }
  if (before !== undefined) {
    const upTo = place(before, 'ending_before')
    const newer = within.filter(({ id }) => upTo.has(id) && id !== before)
    return { object: 'list', data: newer.slice(-limit), has_more: newer.length > limit, url }
  }
  const passed = after === undefined ? undefined : place(after, 'starting_after')
  const rest = passed === undefined ? within : within.filter(({ id }) => !passed.has(id))
  return { object: 'list', data: rest.slice(0, limit), has_more: rest.length > limit, url }
}

export const pagingNames = ['created', 'ending_before', 'expand', 'limit', 'starting_after'] as const

/** `created=…`, `created[gte]=…` and so on. */
function createdFilter(params: Params): (entry: Entry) => boolean {
  const { created } = params.fields
  if (created === undefined) return () => true
  if (typeof created === 'string') {
    const exact = integerOf(params, 'created', 0, 2 ** 40)
    return (entry) => entry.created === exact
  }
  const range = under(params, 'created')
  const bound = (name: string) => integerOf(range, name, 0, 2 ** 40)
  const stranger = Object.keys(range.fields).find((name) => !['gt', 'gte', 'lt', 'lte'].includes(name))
  if (stranger !== undefined)
    throw badParam(
      nameOf(range, stranger),
      `Received unknown parameter: ${nameOf(range, stranger)}`,
      'parameter_unknown',
    )
  const [gt = -1, gte = 0, lt = Infinity, lte = Infinity] = [
    bound('gt'),
    bound('gte'),
    bound('lt'),
    bound('lte'),
  ]
  return ({ created: at = 0 }) => at > gt && at >= gte && at < lt && at <= lte
}
