// Webhook endpoints: where an account's events are sent. The secret of one is in the answer to its creation, and never again.
import { randomBytes } from 'node:crypto'
import { seconds } from '../kit/clock.ts'
import type { Route } from '../kit/http.ts'
import { newId, type Acquirer, type KeptEndpoint } from './acquirer.ts'
import { badParam } from './api-error.ts'
import { apiRoute, get, list, ownObject, type Work } from './api-route.ts'
import {
  choiceOf,
  flagOf,
  mergedMetadata,
  metadataOf,
  mustHave,
  nameOf,
  only,
  textOf,
  textOrNothing,
  textsOf,
  type Params,
} from './params.ts'
import { apiVersion, type WebhookEndpoint } from './wire.ts'

const path = '/v1/webhook_endpoints'

export function endpointRoutes(acquirer: Acquirer): readonly Route[] {
  const { endpoints } = acquirer
  const at = (method: string, rest: string, work: Work) => apiRoute(acquirer, method, path + rest, work)
  return [
    at('POST', '', ({ account, params }) => {
      only(params, ['api_version', 'description', 'enabled_events', 'expand', 'metadata', 'url'])
      // Events are written in one version here.
      choiceOf(params, 'api_version', [apiVersion])
      const secret = `whsec_${randomBytes(24).toString('hex')}`
      const wire = addEndpoint(acquirer, account.id, {
        url: mustHave(params, 'url', urlOf(params)),
        eventTypes: mustHave(params, 'enabled_events', eventsOf(params)),
        secret,
        description: textOrNothing(params, 'description') ?? null,
        metadata: metadataOf(params),
      })
      return { ...wire, secret }
    }),
    list(acquirer, path, endpoints, {}),
    get(acquirer, path, 'webhook_endpoint', endpoints),
    at('POST', '/:id', ({ account, params, id }) =>
      changeEndpoint(acquirer, ownObject(endpoints, account, 'webhook_endpoint', id), params),
    ),
    at('DELETE', '/:id', ({ account, params, id }) => {
      only(params, [])
      ownObject(endpoints, account, 'webhook_endpoint', id)
      endpoints.drop(id)
      return { id, object: 'webhook_endpoint', deleted: true }
    }),
  ]
}

type NewEndpoint = {
  readonly url: string
  readonly eventTypes: readonly string[]
  readonly secret: string
  readonly description?: string | null
  readonly metadata?: Readonly<Record<string, string>>
}

/** Makes an endpoint, or replaces the one with this `id`. Returns it without its secret. */
export function addEndpoint(
  acquirer: Acquirer,
  account: string,
  given: NewEndpoint,
  id = newId(acquirer, 'we'),
): WebhookEndpoint {
  const wire = {
    id,
    object: 'webhook_endpoint',
    api_version: apiVersion,
    application: null,
    created: seconds(),
    description: given.description ?? null,
    enabled_events: given.eventTypes,
    livemode: false,
    metadata: given.metadata ?? {},
    status: 'enabled',
    url: given.url,
  } as const
  acquirer.endpoints.put(id, { account, wire, secret: given.secret })
  return wire
}

/** Fields that the call does not name stay. A disabled endpoint gets nothing more, not even what was already on its way. */
function changeEndpoint(acquirer: Acquirer, endpoint: KeptEndpoint, params: Params): WebhookEndpoint {
  only(params, ['description', 'disabled', 'enabled_events', 'expand', 'metadata', 'url'])
  const { wire } = endpoint
  const description = textOrNothing(params, 'description')
  const isDisabled = flagOf(params, 'disabled')
  const next: WebhookEndpoint = {
    ...wire,
    url: urlOf(params) ?? wire.url,
    enabled_events: eventsOf(params) ?? wire.enabled_events,
    description: description === undefined ? wire.description : description,
    metadata: mergedMetadata(params, wire.metadata),
    ...(isDisabled === undefined ? {} : { status: isDisabled ? 'disabled' : 'enabled' }),
  }
  acquirer.endpoints.put(wire.id, { ...endpoint, wire: next })
  return next
}

function urlOf(params: Params): string | undefined {
  const url = textOf(params, 'url')
  if (url === undefined || (/^https?:\/\//.test(url) && URL.canParse(url))) return url
  throw badParam('url', 'Invalid URL: An explicit scheme (such as https) must be provided.', 'url_invalid')
}

function eventsOf(params: Params): readonly string[] | undefined {
  const eventTypes = textsOf(params, 'enabled_events')
  if (eventTypes === undefined) return undefined
  const name = nameOf(params, 'enabled_events')
  if (eventTypes.length === 0) throw badParam(name, 'Invalid array')
  const odd = eventTypes.findIndex((each) => each !== '*' && !/^[a-z0-9_]+(?:\.[a-z0-9_]+)+$/.test(each))
  if (odd !== -1) throw badParam(`${name}[${odd}]`, `Invalid ${name}[${odd}]: must be the type of an event`)
  return eventTypes
}
