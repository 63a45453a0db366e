// Immediate charges (cob) of the API Pix: made, revised, removed, shown.
import { iso, now } from '../kit/clock.ts'
import { present } from '../kit/event-store.ts'
import { asFields, asInteger, asText, type Fields } from '../kit/fields.ts'
import { given } from '../kit/given.ts'
import type { Bank } from './bank.ts'
import { dynamicCode } from './br-code.ts'
import type { Terms } from './events.ts'
import { locationToken } from './ids.ts'
import { magicOf } from './magic.ts'
import { centsOf, isAmount } from './money.ts'
import { pixView } from './pix-view.ts'
import { problem, violation } from './problem.ts'
import { keyOf, termsOf, type Application, type Charge } from './state.ts'

const usualLifeSeconds = 86_400

/** PUT: makes a charge, or writes an active one anew. A charge that is not ATIVA any more cannot be written. */
export function putCharge(bank: Bank, application: Application, txid: string, body: Fields): Charge {
  const { eventStore, options } = bank
  if (!/^[a-zA-Z0-9]{26,35}$/.test(txid))
    throw violation('CobOperacaoInvalida', 'cob.txid', 'O campo cob.txid não respeita o schema.', txid)
  const terms = readTerms(body, application.pixKey)
  const existing = eventStore.state.charges.get(keyOf(application.pixKey, txid))
  if (existing !== undefined) return revise(bank, existing, terms)
  const { pixKey } = application
  const scenario = options.magic && application.magic ? magicOf(terms.amount) : undefined
  if (scenario === '11') refuseTwice(bank, keyOf(pixKey, txid))
  eventStore.record({
    type: 'charge.created',
    at: now(),
    pixKey,
    txid,
    token: locationToken(eventStore.seed, eventStore.state.counts.locations + 1),
    terms,
    ...given({ scenario }),
  })
  return present(eventStore.state.charges.get(keyOf(pixKey, txid)))
}

function refuseTwice({ passing }: Bank, name: string): void {
  const times = (passing.refused.get(name) ?? 0) + 1
  passing.refused.set(name, times)
  if (times <= 2) throw problem('ServicoIndisponivel', 'Serviço não está disponível no momento.')
}

/** PATCH: either changes some terms, or removes the charge. */
export function patchCharge(bank: Bank, charge: Charge, body: Fields): Charge {
  if (body['status'] === undefined) {
    const change = asFields(body['valor']) ?? {}
    const present = requestOf(charge)
    const merged = { ...present, ...body, valor: { ...present.valor, ...change } }
    return revise(bank, charge, readTerms(merged, charge.account.pixKey))
  }
  if (body['status'] !== 'REMOVIDA_PELO_USUARIO_RECEBEDOR')
    throw violation(
      'CobOperacaoInvalida',
      'cob.status',
      'O campo cob.status não respeita o schema.',
      body['status'],
    )
  mustBeActive(charge)
  if (Object.keys(body).length > 1)
    throw problem('CobOperacaoInvalida', 'A remoção não pode vir acompanhada de outras alterações.')
  bank.eventStore.record({
    type: 'charge.removed',
    at: now(),
    pixKey: charge.account.pixKey,
    txid: charge.txid,
  })
  return charge
}

function revise(bank: Bank, charge: Charge, terms: Terms): Charge {
  mustBeActive(charge)
  bank.eventStore.record({
    type: 'charge.revised',
    at: now(),
    pixKey: charge.account.pixKey,
    txid: charge.txid,
    terms,
  })
  return charge
}

function mustBeActive(charge: Charge): void {
  if (charge.status === 'ATIVA') return
  const detail =
    'Cobrança não se encontra mais com o status ATIVA, somente cobranças ativas podem ser revisadas.'
  throw violation('CobOperacaoInvalida', 'cob.status', detail, charge.status)
}

export function findCharge(bank: Bank, application: Application, txid: string): Charge {
  const found = bank.eventStore.state.charges.get(keyOf(application.pixKey, txid))
  if (found === undefined) throw problem('CobNaoEncontrado', 'Cobrança não encontrada para o txid informado.')
  return found
}

/** The last charges of all keys, newest first. */
export function latestCharges({ eventStore }: Bank, limit: number): readonly Charge[] {
  return [...eventStore.state.accounts.values()]
    .flatMap(({ charges }) => charges.slice(-limit))
    .sort((a, b) => b.locationId - a.locationId)
    .slice(0, limit)
}

/** The charge's life from its creation, as the standard writes it: at least one second, also of one whose end came closer than that. */
function lifeSecondsOf({ createdAt, endsAt }: Charge): number {
  return Math.max(1, Math.floor((endsAt - createdAt) / 1000))
}

/** Host and path without the scheme, as BR Codes carry it. */
function locationOf(bank: Bank, charge: Charge): string {
  return `${bank.options.locationHost}/qr/${charge.token}`
}

export function copyPasteOf(bank: Bank, charge: Charge): string {
  return dynamicCode(locationOf(bank, charge), charge.account)
}

/** CobCompleta. With `revision`: as it was then; without: as it is, with what was paid. */
export function chargeView(bank: Bank, charge: Charge, revision?: number): Record<string, unknown> {
  const last = charge.revisions.length - 1
  const shown = revision ?? last
  const terms = present(charge.revisions[shown])
  const expiracao = shown === last ? lifeSecondsOf(charge) : terms.expiresInSeconds
  const location = locationOf(bank, charge)
  const criacao = iso(charge.createdAt)
  return {
    calendario: { criacao, expiracao },
    txid: charge.txid,
    revisao: shown,
    loc: { id: charge.locationId, location, tipoCob: 'cob', criacao },
    location,
    status: charge.status,
    ...optional(terms),
    valor: valorOf(terms),
    chave: terms.chave,
    pixCopiaECola: copyPasteOf(bank, charge),
    ...(charge.pix.length === 0 ? {} : { pix: charge.pix.map(pixView) }),
  }
}

/** CobPayload: what the payer's app reads at the location. */
export function payloadOf(charge: Charge): Record<string, unknown> {
  const terms = termsOf(charge)
  return {
    calendario: {
      criacao: iso(charge.createdAt),
      apresentacao: iso(now()),
      expiracao: lifeSecondsOf(charge),
    },
    txid: charge.txid,
    revisao: charge.revisions.length - 1,
    status: charge.status,
    ...optional(terms),
    valor: valorOf(terms),
    chave: terms.chave,
  }
}

function valorOf({ amount, modalidadeAlteracao }: Terms) {
  return { original: amount, ...given({ modalidadeAlteracao }) }
}

function optional({ devedor, solicitacaoPagador, infoAdicionais }: Terms) {
  return {
    ...given({ devedor, solicitacaoPagador, infoAdicionais }),
  }
}

/** The terms as a request writes them. */
function requestOf(charge: Charge) {
  const terms = termsOf(charge)
  return {
    calendario: { expiracao: lifeSecondsOf(charge) },
    valor: valorOf(terms),
    chave: terms.chave,
    ...optional(terms),
  }
}

/** CobSolicitada, or what is wrong with it (violations of PUT and PATCH /cob/{txid}). */
function readTerms(body: Fields, pixKey: string): Terms {
  const bad = (property: string, value: unknown, reason = 'não respeita o schema') =>
    violation('CobOperacaoInvalida', `cob.${property}`, `O campo cob.${property} ${reason}.`, value)
  const calendario = body['calendario'] === undefined ? {} : asFields(body['calendario'])
  if (calendario === undefined) throw bad('calendario', body['calendario'])
  const expiresInSeconds = asInteger(calendario['expiracao'] ?? usualLifeSeconds, 1, 2_147_483_647)
  if (expiresInSeconds === undefined)
    throw bad('calendario.expiracao', calendario['expiracao'], 'não é maior que zero')
  const valor = asFields(body['valor'])
  const amount = valor?.['original']
  if (!isAmount(amount)) throw bad('valor.original', amount)
  if (centsOf(amount) === 0n) throw bad('valor.original', amount, 'é zero')
  const modalidade = valor?.['modalidadeAlteracao']
  if (modalidade !== undefined && asInteger(modalidade, 0, 1) === undefined)
    throw bad('valor.modalidadeAlteracao', modalidade)
  const chave = asText(body['chave'], 77)
  if (chave === undefined) throw bad('chave', body['chave'])
  if (chave !== pixKey)
    throw bad('chave', chave, 'corresponde a uma conta que não pertence a este usuário recebedor')
  const devedor = readDebtor(body['devedor'], bad)
  const solicitacaoPagador = body['solicitacaoPagador']
  if (solicitacaoPagador !== undefined && asText(solicitacaoPagador, 140) === undefined)
    throw bad('solicitacaoPagador', solicitacaoPagador)
  const infoAdicionais = readInformation(body['infoAdicionais'], bad)
  return {
    expiresInSeconds,
    amount,
    chave,
    ...(typeof modalidade === 'number' ? { modalidadeAlteracao: modalidade } : {}),
    ...given({ devedor }),
    ...(typeof solicitacaoPagador === 'string' ? { solicitacaoPagador } : {}),
    ...given({ infoAdicionais }),
  }
}

type Bad = (property: string, value: unknown, reason?: string) => Error

/** Either a CPF or a CNPJ, together with a name. */
function readDebtor(value: unknown, bad: Bad): Terms['devedor'] {
  if (value === undefined) return undefined
  const debtor = asFields(value)
  const nome = asText(debtor?.['nome'], 200)
  const { cpf, cnpj } = debtor ?? {}
  if (nome === undefined || (cpf === undefined) === (cnpj === undefined)) throw bad('devedor', value)
  if (typeof cpf === 'string' && /^\d{11}$/.test(cpf)) return { cpf, nome }
  if (typeof cnpj === 'string' && /^[0-9A-Z]{14}$/.test(cnpj)) return { cnpj, nome }
  throw bad(cpf === undefined ? 'devedor.cnpj' : 'devedor.cpf', cpf ?? cnpj)
}

function readInformation(value: unknown, bad: Bad): Terms['infoAdicionais'] {
  if (value === undefined) return undefined
  if (!Array.isArray(value) || value.length > 50) throw bad('infoAdicionais', value)
  return value.map((each: unknown) => {
    const fields = asFields(each)
    const nome = asText(fields?.['nome'], 50)
    const valor = asText(fields?.['valor'], 200)
    if (nome === undefined || valor === undefined) throw bad('infoAdicionais', each)
    return { nome, valor }
  })
}
