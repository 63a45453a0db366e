// One request for a payment's page: its payment, its language, its template. Every route of a page needs one.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { given } from '#/kernel/given.ts'
import type { Locale } from '#/kernel/language.ts'
import { isPageToken } from '#/payments/payment.ts'
import type { CheckoutDeps } from './deps.ts'
import type { Feed } from './feed.ts'
import { chooseLocale, languagePreferenceOf } from './language.ts'
import type { PageLimits } from './limits.ts'
import type { Naming } from './marks.ts'
import { sendNotice } from './notice.ts'
import type { Openings } from './openings.ts'
import type { PageState } from './page-state.ts'
import { findSnapshot, readSnapshots, refOf, type Snapshot } from './snapshot.ts'
import { buildPageState, type AnsweredForm } from './state.ts'
import type { PageTemplate } from './template.ts'

/** The parts that the routes share. */
export type CheckoutParts = { readonly deps: CheckoutDeps; readonly openings: Openings; readonly feed: Feed }

export type PageRequest = {
  readonly token: string
  readonly snapshot: Snapshot
  readonly template: PageTemplate
  readonly locale: Locale
  state(form?: AnsweredForm): PageState
  /** The URLs to which a form of the page may be redirected. */
  formOrigins(): readonly string[]
  /** The same payment as it is now. */
  again(): Promise<PageRequest>
}

export type PageRequests = {
  /** A hook: finds the payment of the token, or answers that there is none, or that there are too many requests. */
  enter(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined>
}

export function createPageRequests(deps: CheckoutDeps, openings: Openings, limits: PageLimits): PageRequests {
  /** Answers that there is no such page, or 429. */
  function nowhere(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const waitMs = limits.spendUnknown(request.ip)
    return waitMs > 0 ? wait(request, reply, waitMs) : sendNotice(deps, request, reply, 404, 'not_found')
  }

  function wait(request: FastifyRequest, reply: FastifyReply, waitMs: number): FastifyReply {
    void reply.header('retry-after', String(Math.ceil(waitMs / 1_000)))
    return sendNotice(deps, request, reply, 429, 'too_many')
  }

  return {
    async enter(request, reply) {
      const { token = '', lang } = request.params as { readonly token?: string; readonly lang?: string }
      if (!isPageToken(token)) return nowhere(request, reply)
      const waitMs = limits.spend(token, request.ip)
      if (waitMs > 0) return wait(request, reply, waitMs)
      const snapshot = await findSnapshot(deps, token)
      if (snapshot === undefined) return nowhere(request, reply)
      const template = await deps.templateOf(snapshot.payment)
      const locale = chooseLocale(
        { ...languagePreferenceOf(request), ...given({ query: lang }) },
        template.languages,
      )
      request.setDecorator('pageRequest', pageRequestOf(deps, openings, snapshot, template, locale))
      return undefined
    },
  }
}

export function pageRequestOf(
  deps: CheckoutDeps,
  openings: Openings,
  snapshot: Snapshot,
  template: PageTemplate,
  locale: Locale,
): PageRequest {
  const { payment, means, opened } = snapshot
  const token = payment.page?.token ?? ''
  return {
    token,
    snapshot,
    template,
    locale,
    state(form) {
      const problem = openings.problemOf(payment.id)
      return buildPageState({
        payment,
        means,
        opened,
        template,
        locale,
        now: deps.clock.now(),
        token,
        brands: brandsOf(deps),
        canSimulate: deps.simulator !== undefined,
        ...given({ problem, form }),
      })
    },
    formOrigins() {
      const { presentation } = means
      if (presentation?.kind === 'HOSTED') return [presentation.url]
      return presentation?.kind === 'FRAME' ? presentation.origins : []
    },
    async again() {
      const snapshots = await readSnapshots(deps, [refOf(payment)])
      return pageRequestOf(deps, openings, snapshots.get(payment.id) ?? snapshot, template, locale)
    },
  }
}

/** The brands of rails that have one. */
export function brandsOf({ rails }: Pick<CheckoutDeps, 'rails'>): Naming['brands'] {
  return Object.fromEntries(
    [...rails].flatMap(([method, { brand }]) => (brand === undefined ? [] : [[method, brand]])),
  )
}
