// What providers and chains report.
import type { Entries } from '../sentence-types.ts'

export const reports = {
  DEPOSIT_SEEN: ({ amount }, { m }) => [
    `A rede mostra uma transferência de ${m(amount)} que ainda não é definitiva.`,
    `The chain shows a transfer of ${m(amount)} that is not final yet.`,
    `La red muestra una transferencia de ${m(amount)} que aún no es definitiva.`,
  ],
  DEPOSIT_VANISHED: ({ amount }, { m }) => [
    `Uma transferência de ${m(amount)} saiu da rede, junto com o bloco dela, antes de ser definitiva.`,
    `A transfer of ${m(amount)} left the chain with its block before it was final.`,
    `Una transferencia de ${m(amount)} salió de la red, junto con su bloque, antes de ser definitiva.`,
  ],
  DEPOSIT_FINAL: ({ amount }, { m }) => [
    `Uma transferência de ${m(amount)} é definitiva na rede.`,
    `A transfer of ${m(amount)} is final on the chain.`,
    `Una transferencia de ${m(amount)} es definitiva en la red.`,
  ],
  MONEY_REPORTED: ({ amount, method }, { m, who }) => [
    `${who(method)} informou a chegada de ${m(amount)}.`,
    `${who(method)} reported that ${m(amount)} arrived.`,
    `${who(method)} informó la llegada de ${m(amount)}.`,
  ],
  AUTHORISATION_REPORTED: ({ amount, method }, { m, who }) => [
    `${who(method)} informou uma autorização de ${m(amount)}, ainda não capturada.`,
    `${who(method)} reported that ${m(amount)} is authorized and not captured yet.`,
    `${who(method)} informó una autorización de ${m(amount)}, aún sin capturar.`,
  ],
  CAPTURE_REPORTED: ({ amount, authorised, method }, { m, who }) => [
    `${who(method)} informou a captura de ${m(amount)} da autorização de ${m(authorised)}.`,
    `${who(method)} reported that ${m(amount)} of the ${m(authorised)} authorized was captured.`,
    `${who(method)} informó la captura de ${m(amount)} de la autorización de ${m(authorised)}.`,
  ],
  VOID_REPORTED: ({ amount, method }, { m, who }) => [
    `${who(method)} informou que a autorização de ${m(amount)} terminou sem captura.`,
    `${who(method)} reported that the authorization of ${m(amount)} has ended without a capture.`,
    `${who(method)} informó que la autorización de ${m(amount)} terminó sin captura.`,
  ],
  DECLINE_REPORTED: ({ method }, { who }) => [
    `${who(method)} informou que uma tentativa de pagamento foi recusada.`,
    `${who(method)} reported that an attempt to pay was declined.`,
    `${who(method)} informó que se rechazó un intento de pago.`,
  ],
  REFUND_REPORTED: ({ amount, method }, { m, who }) => [
    `${who(method)} informou que o reembolso de ${m(amount)} chegou ao pagador.`,
    `${who(method)} reported that the refund of ${m(amount)} is with the payer.`,
    `${who(method)} informó que el reembolso de ${m(amount)} llegó al pagador.`,
  ],
  REFUND_FAILURE_REPORTED: ({ amount, method }, { m, who }) => [
    `${who(method)} informou que o reembolso de ${m(amount)} falhou.`,
    `${who(method)} reported that the refund of ${m(amount)} failed.`,
    `${who(method)} informó que el reembolso de ${m(amount)} falló.`,
  ],
  DISPUTE_REPORTED: ({ amount, method }, { m, who }) => [
    `${who(method)} informou que o pagador quer ${m(amount)} de volta.`,
    `${who(method)} reported that the payer wants ${m(amount)} back.`,
    `${who(method)} informó que el pagador reclama ${m(amount)}.`,
  ],
  DISPUTE_TAKING_REPORTED: ({ amount, method }, { m, who }) => [
    `${who(method)} informou que retirou o valor contestado de ${m(amount)}.`,
    `${who(method)} reported that it has taken the disputed ${m(amount)}.`,
    `${who(method)} informó que retiró el importe disputado de ${m(amount)}.`,
  ],
  DISPUTE_WIN_REPORTED: ({ amount, method }, { m, who }) => [
    `${who(method)} informou que a contestação de ${m(amount)} foi ganha.`,
    `${who(method)} reported that the dispute about ${m(amount)} is won.`,
    `${who(method)} informó que la disputa de ${m(amount)} está ganada.`,
  ],
  DISPUTE_LOSS_REPORTED: ({ amount, method }, { m, who }) => [
    `${who(method)} informou que a contestação de ${m(amount)} foi perdida.`,
    `${who(method)} reported that the dispute about ${m(amount)} is lost.`,
    `${who(method)} informó que la disputa de ${m(amount)} está perdida.`,
  ],
  NOTHING_BOOKED: ({ method }, { who }) => [
    `${who(method)} enviou uma informação que não gerou nenhum lançamento.`,
    `${who(method)} sent a report that moved no money.`,
    `${who(method)} envió una información que no generó ningún registro.`,
  ],
  PAYOUT_REPORTED: ({ amount }, { m }) => [
    `O provedor informou que o valor de ${m(amount)} chegou ao destinatário.`,
    `The provider reported that ${m(amount)} reached the recipient.`,
    `El proveedor informó que el importe de ${m(amount)} llegó al destinatario.`,
  ],
  PAYOUT_REFUSAL_REPORTED: (facts, { m, why }) => [
    `O provedor recusou o envio de ${m(facts.amount)}: ${why(facts)}.`,
    `The provider rejected the payout of ${m(facts.amount)}: ${why(facts)}.`,
    `El proveedor rechazó el envío de ${m(facts.amount)}: ${why(facts)}.`,
  ],
  PAYOUT_RETURN_REPORTED: ({ amount }, { m }) => [
    `O provedor informou que o destinatário devolveu, no total, o valor de ${m(amount)}.`,
    `The provider reported that the recipient returned ${m(amount)} in total.`,
    `El proveedor informó que el destinatario devolvió, en total, el importe de ${m(amount)}.`,
  ],
} satisfies Partial<Entries>
