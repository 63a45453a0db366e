// What the books do.
import type { Entries } from '../sentence-types.ts'

export const books = {
  ANNOUNCED: ({ amount }, { m }) => [
    `O valor de ${m(amount)}, que está a caminho, entrou no saldo pendente.`,
    `${m(amount)} on its way was added to the pending balance.`,
    `El importe de ${m(amount)}, que está en camino, entró en el saldo pendiente.`,
  ],
  NO_LONGER_ANNOUNCED: ({ amount }, { m }) => [
    `O valor de ${m(amount)}, que estava a caminho, saiu do saldo pendente.`,
    `${m(amount)} that was on its way was taken off the pending balance.`,
    `El importe de ${m(amount)}, que estaba en camino, salió del saldo pendiente.`,
  ],
  CREDITED: ({ amount }, { m }) => [
    `O valor de ${m(amount)} foi creditado no saldo disponível.`,
    `${m(amount)} was credited to the available balance.`,
    `El importe de ${m(amount)} se acreditó en el saldo disponible.`,
  ],
  CREDITED_TO_PENDING: ({ amount }, { m }) => [
    `O valor de ${m(amount)} foi creditado no saldo pendente até o fim do prazo de liquidação.`,
    `${m(amount)} was credited to the pending balance until the settlement delay is over.`,
    `El importe de ${m(amount)} se acreditó en el saldo pendiente hasta el fin del plazo de liquidación.`,
  ],
  FEE_TAKEN: ({ amount, from }, { m, outOf }) => [
    `Uma tarifa de ${m(amount)} saiu ${outOf(from)}.`,
    `A fee of ${m(amount)} was taken from ${outOf(from)}.`,
    `Una comisión de ${m(amount)} salió ${outOf(from)}.`,
  ],
  DEBT_REPAID: ({ amount, from }, { m, outOf }) => [
    `O valor de ${m(amount)} ${outOf(from)} pagou o que você devia.`,
    `${m(amount)} of ${outOf(from)} repaid what you owed.`,
    `El importe de ${m(amount)} ${outOf(from)} pagó lo que usted debía.`,
  ],
  PARENT_DEBT_REPAID: ({ amount }, { m }) => [
    `O valor de ${m(amount)} pagou o que você devia à sua plataforma.`,
    `${m(amount)} repaid what you owed your platform.`,
    `El importe de ${m(amount)} pagó lo que usted debía a su plataforma.`,
  ],
  DEBT_MADE: ({ amount }, { m }) => [
    `Faltou o valor de ${m(amount)} nas carteiras, e agora você o deve.`,
    `The wallets lacked ${m(amount)}, which you now owe.`,
    `Faltó el importe de ${m(amount)} en las billeteras, y ahora usted lo debe.`,
  ],
  RELEASED: ({ amount }, { m }) => [
    `O valor de ${m(amount)} do saldo pendente ficou disponível.`,
    `${m(amount)} of the pending balance became available.`,
    `El importe de ${m(amount)} del saldo pendiente quedó disponible.`,
  ],
  HELD_FOR_REFUND: ({ amount, from }, { m, outOf }) => [
    `O valor de ${m(amount)} ${outOf(from)} foi reservado para o reembolso.`,
    `${m(amount)} of ${outOf(from)} was set aside for the refund.`,
    `El importe de ${m(amount)} ${outOf(from)} se reservó para el reembolso.`,
  ],
  HELD_FOR_DISPUTE: ({ amount, from }, { m, outOf }) => [
    `O valor de ${m(amount)} ${outOf(from)} foi reservado para a contestação.`,
    `${m(amount)} of ${outOf(from)} was set aside for the dispute.`,
    `El importe de ${m(amount)} ${outOf(from)} se reservó para la disputa.`,
  ],
  HELD_FOR_WITHDRAWAL: ({ amount, from }, { m, outOf }) => [
    `O valor de ${m(amount)} ${outOf(from)} foi reservado para o saque.`,
    `${m(amount)} of ${outOf(from)} was set aside for the withdrawal.`,
    `El importe de ${m(amount)} ${outOf(from)} se reservó para el retiro.`,
  ],
  FEE_HELD: ({ amount, from }, { m, outOf }) => [
    `O valor de ${m(amount)} ${outOf(from)} foi reservado para a tarifa.`,
    `${m(amount)} of ${outOf(from)} was set aside for the fee.`,
    `El importe de ${m(amount)} ${outOf(from)} se reservó para la comisión.`,
  ],
  HELD_MONEY_LEFT: ({ amount }, { m }) => [
    `O valor de ${m(amount)} saiu do saldo retido e foi pago.`,
    `${m(amount)} left the held balance and was paid out.`,
    `El importe de ${m(amount)} salió del saldo retenido y se pagó.`,
  ],
  DISPUTED_MONEY_CAME_BACK: ({ amount }, { m }) => [
    `O valor de ${m(amount)} voltou para o saldo retido.`,
    `${m(amount)} came back into the held balance.`,
    `El importe de ${m(amount)} volvió al saldo retenido.`,
  ],
  DISPUTED_MONEY_FREED: ({ amount }, { m }) => [
    `O valor de ${m(amount)}, reservado para a contestação, voltou para o saldo disponível.`,
    `${m(amount)} set aside for the dispute is back in the available balance.`,
    `El importe de ${m(amount)}, reservado para la disputa, volvió al saldo disponible.`,
  ],
  DISPUTE_FEE_TAKEN: ({ amount, from }, { m, outOf }) => [
    `A tarifa de ${m(amount)} do provedor pela contestação saiu ${outOf(from)}.`,
    `The provider’s fee of ${m(amount)} for the dispute was taken from ${outOf(from)}.`,
    `La comisión de ${m(amount)} del proveedor por la disputa salió ${outOf(from)}.`,
  ],
  REFUND_MONEY_BACK: ({ amount, to }, { m, into }) => [
    `O valor de ${m(amount)} do reembolso voltou ${into(to)}.`,
    `${m(amount)} of the refund is back in ${into(to)}.`,
    `El importe de ${m(amount)} del reembolso volvió ${into(to)}.`,
  ],
  WITHDRAWAL_MONEY_BACK: ({ amount, to }, { m, into }) => [
    `O valor de ${m(amount)} do saque voltou ${into(to)}.`,
    `${m(amount)} of the withdrawal is back in ${into(to)}.`,
    `El importe de ${m(amount)} del retiro volvió ${into(to)}.`,
  ],
  FEE_BACK: ({ amount, to }, { m, into }) => [
    `A tarifa de ${m(amount)} voltou ${into(to)}.`,
    `The fee of ${m(amount)} is back in ${into(to)}.`,
    `La comisión de ${m(amount)} volvió ${into(to)}.`,
  ],
  WITHDRAWAL_DEBITED: ({ amount, from }, { m, outOf }) => [
    `O valor de ${m(amount)} saiu ${outOf(from)}, porque, no fim, o envio chegou ao destinatário.`,
    `${m(amount)} was taken from ${outOf(from)}, because the payout reached the recipient after all.`,
    `El importe de ${m(amount)} salió ${outOf(from)}, porque, al final, el envío llegó al destinatario.`,
  ],
  MOVED: ({ amount, from, to }, { m, outOf, into }) => [
    `O valor de ${m(amount)} foi movido ${outOf(from)} ${into(to)}.`,
    `${m(amount)} was moved from ${outOf(from)} to ${into(to)}.`,
    `El importe de ${m(amount)} se movió ${outOf(from)} ${into(to)}.`,
  ],
} satisfies Partial<Entries>
