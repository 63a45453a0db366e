// The operations of the API Pix, and of the payout API, each with its scope.
import { iso, now } from '../kit/clock.ts'
import { present } from '../kit/event-store.ts'
import { fieldsOf, type Fields } from '../kit/fields.ts'
import type { Call, Reply, Route } from '../kit/http.ts'
import { authorise, issueToken } from './access.ts'
import { arrange, payBeforeAnswer } from './autopay.ts'
import type { Bank } from './bank.ts'
import { chargeView, findCharge, patchCharge, putCharge } from './charges.ts'
import { locationRoutes } from './location.ts'
import { flagOf, pageOf, textOf, windowOf, within } from './pages.ts'
import { payoutOperations, type Operation } from './payout-routes.ts'
import { pixView, refundView } from './pix-view.ts'
import { problem, violation, type ProblemType } from './problem.ts'
import { requestRefund, findPix } from './refunds.ts'
import { keyOf, termsOf, type Account, type Application } from './state.ts'

/** The operations of the API Pix, each with the scope that it requires. */
const operations: readonly Operation[] = [
  ['PUT', '/v2/cob/:txid', 'cob.write', putCob],
  ['PATCH', '/v2/cob/:txid', 'cob.write', patchCob],
  ['GET', '/v2/cob/:txid', 'cob.read', getCob],
  ['GET', '/v2/cob', 'cob.read', listCobs],
  ['GET', '/v2/pix', 'pix.read', listPix],
  ['GET', '/v2/pix/:e2eid', 'pix.read', getPix],
  ['PUT', '/v2/pix/:e2eid/devolucao/:id', 'pix.write', putRefund],
  ['GET', '/v2/pix/:e2eid/devolucao/:id', 'pix.read', getRefund],
  ['PUT', '/v2/webhook/:chave', 'webhook.write', putWebhook],
  ['GET', '/v2/webhook/:chave', 'webhook.read', getWebhook],
  ['DELETE', '/v2/webhook/:chave', 'webhook.write', deleteWebhook],
  ['GET', '/v2/webhook', 'webhook.read', listWebhooks],
]

export function apiRoutes(bank: Bank): readonly Route[] {
  return [
    { method: 'POST', path: '/oauth/token', handle: (call) => issueToken(bank, call) },
    ...[...operations, ...payoutOperations].map(([method, path, scope, work]) => ({
      method,
      path,
      handle: (call: Call) => work(bank, call, authorise(bank, call, scope)),
    })),
    ...locationRoutes(bank),
  ]
}

function bodyOf(call: Call, type: ProblemType): Fields {
  const body = fieldsOf(call)
  if (body === undefined) throw problem(type, 'O corpo da requisição não é um objeto JSON.')
  return body
}

async function putCob(bank: Bank, call: Call, application: Application): Promise<Reply> {
  const txid = call.params['txid'] ?? ''
  const isNew = !bank.eventStore.state.charges.has(keyOf(application.pixKey, txid))
  const body = bodyOf(call, 'CobOperacaoInvalida')
  const charge = bank.eventStore.together(() => {
    const made = putCharge(bank, application, txid, body)
    if (isNew) arrange(bank, made)
    return made
  })
  if (isNew && charge.scenario === '08') {
    // The answer shows the charge before the payment.
    const answer = chargeView(bank, charge)
    await payBeforeAnswer(bank, charge)
    return { status: 201, body: answer }
  }
  const isCut = isNew && charge.scenario === '12'
  return { status: 201, body: chargeView(bank, charge), ...(isCut ? { cut: 'all' } : {}) }
}

function patchCob(bank: Bank, call: Call, application: Application): Reply {
  const charge = findCharge(bank, application, call.params['txid'] ?? '')
  return {
    status: 200,
    body: chargeView(bank, patchCharge(bank, charge, bodyOf(call, 'CobOperacaoInvalida'))),
  }
}

function getCob(bank: Bank, call: Call, application: Application): Reply {
  const charge = findCharge(bank, application, call.params['txid'] ?? '')
  const requested = call.query.get('revisao')
  if (requested === null) return { status: 200, body: chargeView(bank, charge) }
  const revision = /^\d{1,9}$/.test(requested) ? Number.parseInt(requested, 10) : -1
  if (charge.revisions[revision] === undefined)
    throw violation(
      'CobConsultaInvalida',
      'revisao',
      'O parâmetro revisao corresponde a uma revisão inexistente.',
      requested,
    )
  return { status: 200, body: chargeView(bank, charge, revision) }
}

function listCobs(bank: Bank, call: Call, application: Application): Reply {
  const type = 'CobConsultaInvalida'
  const window = windowOf(call, type)
  const isLocated = flagOf(call, 'locationPresente', type)
  const status = textOf(call, 'status', chargeStatus, type)
  const payer = payerOf(call, type)
  const found = within(accountOf(bank, application).charges, (charge) => charge.createdAt, window).filter(
    (charge) =>
      // Every charge of this bank has a location.
      isLocated !== false &&
      (status === undefined || charge.status === status) &&
      matches(payer, termsOf(charge).devedor),
  )
  const filters = { locationPresente: isLocated, status, ...payer }
  const { items, parametros } = pageOf(call, found, window, filters)
  return { status: 200, body: { parametros, cobs: items.map((charge) => chargeView(bank, charge)) } }
}

const chargeStatus = /^(?:ATIVA|CONCLUIDA|REMOVIDA_PELO_USUARIO_RECEBEDOR|REMOVIDA_PELO_PSP)$/

type Person = { readonly cpf?: string | undefined; readonly cnpj?: string | undefined }

/** The payer of the filter `cpf` or `cnpj`. */
function payerOf(call: Call, type: ProblemType): Person {
  return {
    cpf: textOf(call, 'cpf', /^\d{11}$/, type),
    cnpj: textOf(call, 'cnpj', /^[0-9A-Z]{14}$/, type),
  }
}

function matches({ cpf, cnpj }: Person, person: Person | undefined): boolean {
  return (cpf === undefined || person?.cpf === cpf) && (cnpj === undefined || person?.cnpj === cnpj)
}

function listPix(bank: Bank, call: Call, application: Application): Reply {
  const type = 'PixConsultaInvalida'
  const window = windowOf(call, type)
  const txid = textOf(call, 'txid', /^[a-zA-Z0-9]{26,35}$/, type)
  const payer = payerOf(call, type)
  const isNamed = flagOf(call, 'txIdPresente', type)
  const isReturned = flagOf(call, 'devolucaoPresente', type)
  const at = now()
  const found = within(accountOf(bank, application).received, (pix) => pix.settledAt, window).filter(
    (pix) =>
      pix.listedAt <= at &&
      (txid === undefined || pix.txid === txid) &&
      (isNamed === undefined || (pix.txid !== undefined) === isNamed) &&
      (isReturned === undefined || pix.refunds.length > 0 === isReturned) &&
      matches(payer, pix.payer),
  )
  const filters = { txid, txIdPresente: isNamed, devolucaoPresente: isReturned, ...payer }
  const { items, parametros } = pageOf(call, found, window, filters)
  return { status: 200, body: { parametros, pix: items.map(pixView) } }
}

function getPix(bank: Bank, call: Call, application: Application): Reply {
  return { status: 200, body: pixView(findPix(bank, application, call.params['e2eid'] ?? '')) }
}

function putRefund(bank: Bank, call: Call, application: Application): Reply {
  const pix = findPix(bank, application, call.params['e2eid'] ?? '')
  const refund = requestRefund(bank, pix, call.params['id'] ?? '', bodyOf(call, 'PixDevolucaoInvalida'))
  return { status: 201, body: refundView(refund) }
}

function getRefund(bank: Bank, call: Call, application: Application): Reply {
  const { refunds } = findPix(bank, application, call.params['e2eid'] ?? '')
  const refund = refunds.find(({ id }) => id === call.params['id'])
  if (refund === undefined)
    throw problem('PixDevolucaoNaoEncontrada', 'Devolução não encontrada para o e2eid e o id informados.')
  return { status: 200, body: refundView(refund) }
}

async function putWebhook(bank: Bank, call: Call, application: Application): Promise<Reply> {
  const type = 'WebhookOperacaoInvalida'
  const account = ownAccount(bank, call, application)
  const url = bodyOf(call, type)['webhookUrl']
  if (typeof url !== 'string' || !URL.canParse(url) || new URL(url).protocol !== 'https:')
    throw violation(type, 'webhook.webhookUrl', 'O campo webhook.webhookUrl não respeita o schema.', url)
  const skipsCheck = call.headers['x-skip-mtls-checking'] === 'true'
  const fault = await bank.dispatch.probe(url, skipsCheck)
  if (fault !== undefined)
    throw violation(type, 'webhook.webhookUrl', `O endereço não passou no teste: ${fault}.`, url)
  bank.eventStore.record({
    type: 'webhook.registered',
    at: now(),
    pixKey: account.pixKey,
    url: url.replace(/\/$/, ''),
  })
  return { status: 200 }
}

function getWebhook(bank: Bank, call: Call, application: Application): Reply {
  return { status: 200, body: webhookView(accountWithWebhook(bank, call, application)) }
}

function deleteWebhook(bank: Bank, call: Call, application: Application): Reply {
  const { pixKey } = accountWithWebhook(bank, call, application)
  bank.eventStore.record({ type: 'webhook.removed', at: now(), pixKey })
  return { status: 204 }
}

function listWebhooks(bank: Bank, call: Call, application: Application): Reply {
  const account = accountOf(bank, application)
  const window = windowOf(call, 'WebhookConsultaInvalida', true)
  const { webhook } = account
  const found = webhook === undefined ? [] : within([webhook], ({ createdAt }) => createdAt, window)
  const { items, parametros } = pageOf(
    call,
    found.map(() => webhookView(account)),
    window,
  )
  return { status: 200, body: { parametros, webhooks: items } }
}

/** A key of another application counts as none. */
function accountWithWebhook(bank: Bank, call: Call, application: Application): Account {
  const account = accountOf(bank, application)
  if (call.params['chave'] !== application.pixKey || account.webhook === undefined)
    throw problem('WebhookNaoEncontrado', 'O webhook denotado por chave não se encontra estabelecido.')
  return account
}

function webhookView({ webhook, pixKey }: Account) {
  const { url, createdAt } = present(webhook)
  return { webhookUrl: url, chave: pixKey, criacao: iso(createdAt) }
}

function accountOf(bank: Bank, application: Application): Account {
  return present(bank.eventStore.state.accounts.get(application.pixKey))
}

function ownAccount(bank: Bank, call: Call, application: Application): Account {
  const chave = call.params['chave']
  if (chave !== application.pixKey) {
    const reason = 'O parâmetro chave não corresponde a uma chave DICT pertencente a este usuário recebedor.'
    throw violation('WebhookOperacaoInvalida', 'chave', reason, chave)
  }
  return accountOf(bank, application)
}
