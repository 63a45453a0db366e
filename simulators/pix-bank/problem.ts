// Refusals, as the API Pix (RFC 7807) and the payout API write them.
import { given } from '../kit/given.ts'
import { Refusal } from '../kit/refusal.ts'

export type Violation = { readonly razao: string; readonly propriedade: string; readonly valor?: string }

/** Title and status of every error type in use (API Pix 2.9.0, "Tratamento de erros"). */
const types = {
  RequisicaoInvalida: [400, 'Requisição inválida.'],
  AcessoNegado: [403, 'Acesso Negado'],
  NaoEncontrado: [404, 'Não Encontrado'],
  ErroInternoDoServidor: [500, 'Erro interno do servidor.'],
  ServicoIndisponivel: [503, 'Serviço Indisponível'],
  CobNaoEncontrado: [404, 'Cobrança não encontrada.'],
  CobOperacaoInvalida: [400, 'Operação inválida.'],
  CobConsultaInvalida: [400, 'Consulta inválida.'],
  CobPayloadNaoEncontrado: [404, 'Payload não encontrado.'],
  PixNaoEncontrado: [404, 'Pix não encontrado.'],
  PixDevolucaoNaoEncontrada: [404, 'Devolução não encontrada.'],
  PixConsultaInvalida: [400, 'Consulta inválida.'],
  PixDevolucaoInvalida: [400, 'Devolução inválida.'],
  WebhookOperacaoInvalida: [400, 'Webhook inválido.'],
  WebhookNaoEncontrado: [404, 'Webhook não encontrado.'],
  WebhookConsultaInvalida: [400, 'Consulta inválida.'],
} as const satisfies Record<string, readonly [number, string]>
export type ProblemType = keyof typeof types

/** A refusal of the API Pix. `violations` name the fields. `status` only where a type has more than one. */
export function problem(
  type: ProblemType,
  detail: string,
  more: { readonly violations?: readonly Violation[]; readonly status?: number } = {},
): Refusal {
  const [usual, title] = types[type]
  const status = more.status ?? usual
  const { violations } = more
  return new Refusal(detail, {
    status,
    type: 'application/problem+json',
    body: {
      type: `https://pix.bcb.gov.br/api/v2/error/${type}`,
      title,
      status,
      detail,
      ...given({ violacoes: violations }),
    },
  })
}

/** One invalid field. */
export function violation(type: ProblemType, property: string, reason: string, value?: unknown): Refusal {
  const text = typeof value === 'string' ? value : value === undefined ? undefined : JSON.stringify(value)
  return problem(type, reason, {
    violations: [{ razao: reason, propriedade: property, ...given({ valor: text }) }],
  })
}

/** A refusal in the payout API's own format. */
export function payoutProblem(
  status: number,
  name: string,
  message: string,
  headers?: Readonly<Record<string, string>>,
): Refusal {
  return new Refusal(message, {
    status,
    body: { nome: name, mensagem: message },
    ...given({ headers }),
  })
}
