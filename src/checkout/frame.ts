// The page inside the frame of the payer's page. It holds the provider's own form, so that the provider's script is isolated from
// our page, and card numbers are typed where we cannot read them.
import type { FastifyInstance } from 'fastify'
import { frameDocument } from './document.ts'
import { sendFile } from './files.ts'
import { sendNotice } from './notice.ts'
import type { CheckoutParts, PageRequest } from './page-request.ts'
import { framePolicy } from './policy.ts'
import { logoName } from './state.ts'
import { frameAssets } from './view.ts'

/** `GET /c/:token/frame`, and the merchant's logo, which is served below the same path. */
export function registerFrame(scope: FastifyInstance, { deps }: CheckoutParts): void {
  const { script, style } = frameAssets()

  scope.get('/c/:token/frame', (request, reply) => {
    const { snapshot, template, locale } = request.getDecorator<PageRequest>('pageRequest')
    const { presentation } = snapshot.means
    if (presentation?.kind !== 'FRAME') return sendNotice(deps, request, reply, 404, 'refused')
    const { scriptUrl, publishableKey, clientSecret, origins } = presentation
    const html = frameDocument({
      locale,
      theme: template.style.theme,
      script: script.name,
      style: style.name,
      provider: { scriptUrl, publishableKey, clientSecret, locale },
    })
    void reply.header('content-security-policy', framePolicy(scriptUrl, origins))
    return reply.type('text/html; charset=utf-8').send(html)
  })
  scope.get('/c/:token/logo/:name', (request, reply) => {
    const { template } = request.getDecorator<PageRequest>('pageRequest')
    const { name } = request.params as { readonly name: string }
    const { logo } = template
    if (logo === undefined || logoName(logo) !== name)
      return sendNotice(deps, request, reply, 404, 'not_found')
    return sendFile(request, reply, { type: logo.type, body: logo.bytes })
  })
}
