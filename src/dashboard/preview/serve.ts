// Serves previews of template drafts into a frame of the dashboard. The draft comes with the request, and nothing of it is kept.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { baseHeaders, previewPolicy } from '#/checkout/policy.ts'
import type { Theme } from '#/checkout/template.ts'
import { themes } from '#/contract/templates.ts'
import { readJsonBody } from '#/http/json-body.ts'
import { AppError, type FieldFault } from '#/kernel/error.ts'
import { localeOf, type Locale } from '#/kernel/language.ts'
import { selectMerchantWithSettings } from '#/merchants/queries.ts'
import { checkTemplate } from '#/templates/check.ts'
import type { DashboardDeps } from '../deps.ts'
import type { MerchantCaller, MemberAuth } from '../merchant-entrance.ts'
import { requireSameOrigin } from '../same-origin.ts'
import { requirePermission } from '../visitor.ts'
import { cardFormPage, faultsPage } from './faults-page.ts'
import { previewPath, servePreviewFiles } from './files.ts'
import { previewPage } from './page.ts'

const formType = 'application/x-www-form-urlencoded'

/** As large as a template may be, when each of its characters takes three in a form. */
const bodyBytesMax = 3 * 262_144

/** `POST /preview/{merchant}`, and the files of what it answers. */
export function servePreviews(server: FastifyInstance, deps: DashboardDeps, memberAuth: MemberAuth): void {
  const { view, origin, http } = deps
  servePreviewFiles(server, deps)
  server.get(`${previewPath}/card`, (request, reply) => {
    const { lang, theme } = request.query as { readonly lang?: unknown; readonly theme?: unknown }
    return sendPage(reply, cardFormPage(languageOf(lang), themeOf(theme)))
  })
  void server.register((scope, _options, done) => {
    scope.addContentTypeParser(formType, { parseAs: 'string' }, (_request, body, parsed) =>
      parsed(null, new URLSearchParams(String(body))),
    )
    scope.post(`${previewPath}/:merchant`, {
      bodyLimit: bodyBytesMax,
      onRequest: async (request) => {
        requireSameOrigin(request, origin)
        const caller = await memberAuth.identify(request)
        requirePermission(caller.permissions, 'templates:read')
        request.setDecorator('caller', caller)
      },
      handler: async (request, reply) => {
        const { body } = request
        if (!(body instanceof URLSearchParams))
          throw new AppError('unsupported_media_type', `Send the body as ${formType}.`)
        const { merchant } = request.getDecorator<MerchantCaller>('caller')
        const field = (name: string) => body.get(name) ?? ''
        const checked = readDraft(field('document'), merchant.mode)
        const [language, theme] = [field('language'), field('theme')]
        if (!checked.ok) {
          const reader = { locale: languageOf(language), theme: themeOf(theme) }
          return sendPage(reply, faultsPage(checked.faults, reader, view))
        }
        const options = { state: field('state'), method: field('method'), language, theme }
        const settings = await selectMerchantWithSettings(http.sql, merchant.id)
        return sendPage(reply, previewPage({ ...http, view }, { ...settings, ...merchant }, checked, options))
      },
    })
    done()
  })
}

/** The draft, read and checked as the routes of templates do. */
function readDraft(text: string, mode: MerchantCaller['merchant']['mode']) {
  try {
    return checkTemplate(readJsonBody(Buffer.from(text)), mode)
  } catch (error) {
    if (error instanceof AppError) return { ok: false as const, faults: faultsOf(error) }
    throw error
  }
}

function faultsOf({ faults, message, code }: AppError): readonly FieldFault[] {
  return faults.length > 0 ? faults : [{ pointer: '', code, message }]
}

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .headers({ ...baseHeaders, 'content-security-policy': previewPolicy })
    .type('text/html; charset=utf-8')
    .send(html)
}

function languageOf(given: unknown): Locale {
  return localeOf(String(given)) ?? 'en'
}

function themeOf(given: unknown): Theme {
  return themes.find((each) => each === given) ?? 'auto'
}
