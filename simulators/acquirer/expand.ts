// `expand[]`: names of other objects in an answer, replaced by the objects.
import { present } from '../kit/event-store.ts'
import { type Acquirer } from './acquirer.ts'
import { badParam, badState } from './api-error.ts'
import { transactionView } from './balance.ts'
import { expandedItems } from './line-items.ts'
import { textsOf, type Params } from './params.ts'

const depthMax = 4

/** The answer with everything expanded that the call requests. */
export function expand(acquirer: Acquirer, answer: unknown, params: Params): unknown {
  const paths = textsOf(params, 'expand') ?? []
  return paths.reduce((expanded: unknown, path) => {
    const parts = path.split('.')
    if (parts.length > depthMax)
      throw badParam('expand', `You cannot expand more than ${depthMax} levels of a property`)
    return expandPath(acquirer, expanded, parts, path)
  }, answer)
}

function expandPath(acquirer: Acquirer, value: unknown, parts: readonly string[], path: string): unknown {
  const [name, ...rest] = parts
  if (name === undefined) return value
  if (Array.isArray(value)) return value.map((each) => expandPath(acquirer, each, parts, path))
  if (typeof value !== 'object' || value === null) return value
  const fields = value as Readonly<Record<string, unknown>>
  if (!(name in fields) && !isHidden(fields, name)) throw cannot(path)
  const found = isHidden(fields, name) ? hiddenOf(acquirer, fields) : fields[name]
  if (found === null) return value
  const object = typeof found === 'string' ? lookUp(acquirer, found) : found
  if (object === undefined || typeof object !== 'object') throw cannot(path)
  return { ...fields, [name]: expandPath(acquirer, object, rest, path) }
}

/** A session includes its line items only on request. */
function isHidden({ object }: Readonly<Record<string, unknown>>, name: string): boolean {
  return object === 'checkout.session' && name === 'line_items'
}

function hiddenOf(acquirer: Acquirer, { id }: Readonly<Record<string, unknown>>): unknown {
  return expandedItems(present(acquirer.sessions.get(String(id))))
}

function cannot(path: string) {
  return badState('property_cannot_be_expanded', `This property cannot be expanded (${path}).`, {
    param: 'expand',
  })
}

function lookUp(acquirer: Acquirer, id: string): unknown {
  const transaction = acquirer.transactions.get(id)
  if (transaction !== undefined) return transactionView(acquirer, transaction)
  const { intents, charges, refunds, disputes, sessions } = acquirer
  for (const table of [intents, charges, refunds, disputes, sessions]) {
    const kept = table.get(id)
    if (kept !== undefined) return kept.wire
  }
  return undefined
}
