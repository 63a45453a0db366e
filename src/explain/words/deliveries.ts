// How events reach the merchant.
import type { Entries } from '../sentence-types.ts'

export const deliveries = {
  DELIVERY_PENDING: (facts, { tries, answer }) =>
    facts.delivery.attempts === 0
      ? [
          `O evento ${facts.eventType} está para ser enviado ao seu servidor.`,
          `The event ${facts.eventType} is about to be sent to your server.`,
          `El evento ${facts.eventType} está por enviarse a su servidor.`,
        ]
      : [
          `O evento ${facts.eventType} não chegou ao seu servidor após ${tries(facts.delivery.attempts)} (${answer(facts)}), e será enviado de novo.`,
          `The event ${facts.eventType} has not reached your server after ${tries(facts.delivery.attempts)} (${answer(facts)}), and will be sent again.`,
          `El evento ${facts.eventType} no llegó a su servidor tras ${tries(facts.delivery.attempts)} (${answer(facts)}), y se enviará de nuevo.`,
        ],
  DELIVERED: ({ eventType, delivery: { attempts } }, { tries }) => [
    `O evento ${eventType} chegou ao seu servidor após ${tries(attempts)}.`,
    `The event ${eventType} reached your server after ${tries(attempts)}.`,
    `El evento ${eventType} llegó a su servidor tras ${tries(attempts)}.`,
  ],
  DELIVERY_EXHAUSTED: (facts, { tries, answer }) => [
    `O evento ${facts.eventType} não chegou ao seu servidor após ${tries(facts.delivery.attempts)} (${answer(facts)}), e não será mais enviado.`,
    `The event ${facts.eventType} did not reach your server after ${tries(facts.delivery.attempts)} (${answer(facts)}), and will not be sent again.`,
    `El evento ${facts.eventType} no llegó a su servidor tras ${tries(facts.delivery.attempts)} (${answer(facts)}), y no se enviará más.`,
  ],
  DELIVERY_CANCELED: ({ eventType }) => [
    `O evento ${eventType} não será mais enviado a um de seus endpoints, porque o endpoint foi excluído.`,
    `The event ${eventType} will no longer be sent to one of your endpoints, because the endpoint was deleted.`,
    `El evento ${eventType} ya no se enviará a uno de sus endpoints, porque el endpoint fue eliminado.`,
  ],
} satisfies Partial<Entries>
