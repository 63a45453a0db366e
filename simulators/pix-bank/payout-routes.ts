// The operations of the payout API (Efí: /v3/gn/pix, /v2/gn/pix/enviados, /v2/gn/saldo).
import { present } from '../kit/event-store.ts'
import { fieldsOf } from '../kit/fields.ts'
import type { Call, Reply } from '../kit/http.ts'
import type { Scope } from './access.ts'
import type { Bank } from './bank.ts'
import { amountOf } from './money.ts'
import { pageOf, windowOf, within } from './pages.ts'
import { balanceOf, payoutView, send } from './payouts.ts'
import { payoutProblem } from './problem.ts'
import { keyOf, type Application, type Payout } from './state.ts'

export type Operation = readonly [
  method: string,
  path: string,
  scope: Scope,
  work: (bank: Bank, call: Call, application: Application) => Reply | Promise<Reply>,
]

export const payoutOperations: readonly Operation[] = [
  ['PUT', '/v3/gn/pix/:idEnvio', 'pix.send', put],
  ['GET', '/v2/gn/pix/enviados/id-envio/:idEnvio', 'pix.send', getNamed],
  ['GET', '/v2/gn/pix/enviados/:e2eId', 'pix.send', getSent],
  ['GET', '/v2/gn/pix/enviados', 'pix.send', list],
  ['GET', '/v2/gn/saldo', 'gn.balance.read', balance],
]

function getNamed(bank: Bank, { params }: Call, application: Application): Reply {
  const key = keyOf(application.pixKey, params['idEnvio'] ?? '')
  return show(bank.eventStore.state.payouts.get(key), application)
}

function getSent(bank: Bank, { params }: Call, application: Application): Reply {
  return show(bank.eventStore.state.payoutsByEndToEndId.get(params['e2eId'] ?? ''), application)
}

function show(payout: Payout | undefined, application: Application): Reply {
  if (payout === undefined || payout.account.pixKey !== application.pixKey)
    throw payoutProblem(404, 'pix_nao_encontrado', 'Nenhum envio com este identificador')
  return { status: 200, body: payoutView(payout) }
}

function put(bank: Bank, call: Call, application: Application): Reply {
  const body = fieldsOf(call)
  if (body === undefined)
    throw payoutProblem(400, 'json_invalido', 'O corpo da requisição não é um objeto JSON')
  return send(bank, application, call.params['idEnvio'] ?? '', body)
}

function list(bank: Bank, call: Call, application: Application): Reply {
  const window = windowOf(call, 'PixConsultaInvalida')
  const status = call.query.get('status')
  const found = within(ownPayouts(bank, application), (payout) => payout.requestedAt, window).filter(
    (payout) => status === null || payout.status === status,
  )
  const { items, parametros } = pageOf(call, found, window, { status: status ?? undefined })
  return { status: 200, body: { parametros, pix: items.map(payoutView) } }
}

function ownPayouts(bank: Bank, { pixKey }: Application): readonly Payout[] {
  return present(bank.eventStore.state.accounts.get(pixKey)).payouts
}

/** What was received, less what was returned and what was sent. What is on its way out is shown separately. */
function balance(bank: Bank, _: Call, { pixKey }: Application): Reply {
  const { total, free } = balanceOf(bank, present(bank.eventStore.state.accounts.get(pixKey)))
  return { status: 200, body: { saldo: amountOf(total), emProcessamento: amountOf(total - free) } }
}
