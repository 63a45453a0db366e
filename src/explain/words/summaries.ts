// How a record stands.
import type { Texts } from '#/kernel/dictionary.ts'
import { paymentStatusWords } from '#/kernel/status-words.ts'
import type { Say } from '../say.ts'
import type { PaymentSums, SummaryEntries } from '../sentence-types.ts'

/** A state, what came, and what of it went back. */
const payment =
  (...states: Texts) =>
  ({ amount, received, refunded, disputed }: PaymentSums, { m }: Say): Texts => {
    const came: Texts =
      received.minor > 0n
        ? [
            `${m(received)} de ${m(amount)} recebidos`,
            `${m(received)} of ${m(amount)} received`,
            `${m(received)} de ${m(amount)} recibidos`,
          ]
        : [`${m(amount)}, nada recebido`, `${m(amount)}, nothing received`, `${m(amount)}, nada recibido`]
    const back: Texts = [
      `${m(refunded)} reembolsados ou em reembolso`,
      `${m(refunded)} refunded or being refunded`,
      `${m(refunded)} reembolsados o en reembolso`,
    ]
    const claimed: Texts = [
      `${m(disputed)} em contestação ou perdidos`,
      `${m(disputed)} disputed or lost`,
      `${m(disputed)} en disputa o perdidos`,
    ]
    const parts = [came, ...(refunded.minor > 0n ? [back] : []), ...(disputed.minor > 0n ? [claimed] : [])]
    return states.map(
      (state, place) => `${state}: ${parts.map((each) => each[place]).join('; ')}.`,
    ) as readonly string[] as Texts
  }

export const summaryEntries: SummaryEntries = {
  payment: {
    PENDING: payment(...paymentStatusWords.PENDING),
    WAITING_PAYMENT: payment(...paymentStatusWords.WAITING_PAYMENT),
    APPROVED: payment(...paymentStatusWords.APPROVED),
    PAID: payment(...paymentStatusWords.PAID),
    EXPIRED: payment(...paymentStatusWords.EXPIRED),
    FAILED: payment(...paymentStatusWords.FAILED),
    CANCELED: payment(...paymentStatusWords.CANCELED),
  },
  refund: {
    PENDING: ({ amount, isHeldBack, approvalRequired }, { m }) =>
      isHeldBack
        ? [
            `O reembolso de ${m(amount)} aguarda o fim de uma contestação sobre o mesmo dinheiro.`,
            `The refund of ${m(amount)} waits for the end of a dispute about the same money.`,
            `El reembolso de ${m(amount)} espera el fin de una disputa sobre el mismo dinero.`,
          ]
        : approvalRequired
          ? [
              `O reembolso de ${m(amount)} aguarda uma segunda pessoa.`,
              `The refund of ${m(amount)} waits for a second person.`,
              `El reembolso de ${m(amount)} espera a una segunda persona.`,
            ]
          : [
              `O reembolso de ${m(amount)} está a caminho, e o resultado ainda não é conhecido.`,
              `The refund of ${m(amount)} is on its way, and the outcome is not known yet.`,
              `El reembolso de ${m(amount)} está en camino, y aún no se conoce el resultado.`,
            ],
    COMPLETED: ({ amount }, { m }) => [
      `O reembolso de ${m(amount)} está com o pagador.`,
      `The refund of ${m(amount)} is with the payer.`,
      `El reembolso de ${m(amount)} está con el pagador.`,
    ],
    FAILED: ({ amount }, { m }) => [
      `O reembolso de ${m(amount)} falhou, e o dinheiro é seu de novo.`,
      `The refund of ${m(amount)} failed, and the money is yours again.`,
      `El reembolso de ${m(amount)} falló, y el dinero es suyo de nuevo.`,
    ],
  },
  withdrawal: {
    PENDING: ({ amount }, { m }) => [
      `O saque de ${m(amount)} aguarda o envio.`,
      `The withdrawal of ${m(amount)} is waiting to be sent.`,
      `El retiro de ${m(amount)} espera el envío.`,
    ],
    PENDING_APPROVAL: ({ amount }, { m }) => [
      `O saque de ${m(amount)} aguarda uma segunda pessoa.`,
      `The withdrawal of ${m(amount)} waits for a second person.`,
      `El retiro de ${m(amount)} espera a una segunda persona.`,
    ],
    PROCESSING: ({ amount, reviewRequired }, { m }) =>
      reviewRequired
        ? [
            `O saque de ${m(amount)} foi enviado, e uma pessoa precisa descobrir como terminou.`,
            `The withdrawal of ${m(amount)} was sent, and a person has to find out how it ended.`,
            `El retiro de ${m(amount)} se envió, y una persona debe averiguar cómo terminó.`,
          ]
        : [
            `O saque de ${m(amount)} foi enviado, e o resultado ainda não é conhecido.`,
            `The withdrawal of ${m(amount)} was sent, and the outcome is not known yet.`,
            `El retiro de ${m(amount)} se envió, y aún no se conoce el resultado.`,
          ],
    COMPLETED: ({ amount, returned }, { m }) =>
      returned.minor > 0n
        ? [
            `O saque de ${m(amount)} chegou ao destinatário, e o valor de ${m(returned)} voltou.`,
            `The withdrawal of ${m(amount)} reached the recipient, and ${m(returned)} came back.`,
            `El retiro de ${m(amount)} llegó al destinatario, y volvió el importe de ${m(returned)}.`,
          ]
        : [
            `O saque de ${m(amount)} chegou ao destinatário.`,
            `The withdrawal of ${m(amount)} reached the recipient.`,
            `El retiro de ${m(amount)} llegó al destinatario.`,
          ],
    FAILED: ({ amount }, { m }) => [
      `O saque de ${m(amount)} falhou, e o dinheiro é seu de novo.`,
      `The withdrawal of ${m(amount)} failed, and the money is yours again.`,
      `El retiro de ${m(amount)} falló, y el dinero es suyo de nuevo.`,
    ],
    CANCELED: ({ amount }, { m }) => [
      `O saque de ${m(amount)} foi cancelado, e o dinheiro é seu de novo.`,
      `The withdrawal of ${m(amount)} was canceled, and the money is yours again.`,
      `El retiro de ${m(amount)} se canceló, y el dinero es suyo de nuevo.`,
    ],
  },
}
