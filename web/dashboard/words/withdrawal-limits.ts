import { dictionary } from './dictionary.ts'

/** What the operator allows of withdrawals. */
export const withdrawalLimitWords = dictionary({
  'pt-BR': {
    limitsLead: 'O que o operador permite. Só ele muda os limites e a lista de destinos: peça a ele.',
    limitsNone: 'Nenhum limite',
    limitsNoneLead: 'O operador não limita os saques desta conta.',
    limitSpent: 'Pedido hoje (UTC)',
    allowed: 'Destinos permitidos',
    allowedNone: 'A lista está vazia. Saques programados só vão a destinos da lista.',
    allowedMore: 'Há outros destinos na lista.',
  },
  en: {
    limitsLead:
      'What the operator allows. Only the operator changes the limits and the list of destinations: ask there.',
    limitsNone: 'No limits',
    limitsNoneLead: 'The operator does not limit the withdrawals of this account.',
    limitSpent: 'Requested today (UTC)',
    allowed: 'Allowed destinations',
    allowedNone: 'The list is empty. Payout schedules go only to destinations on the list.',
    allowedMore: 'There are further destinations on the list.',
  },
  es: {
    limitsLead: 'Lo que permite el operador. Solo él cambia los límites y la lista de destinos: pídaselo.',
    limitsNone: 'Sin límites',
    limitsNoneLead: 'El operador no limita los retiros de esta cuenta.',
    limitSpent: 'Pedido hoy (UTC)',
    allowed: 'Destinos permitidos',
    allowedNone: 'La lista está vacía. Los retiros programados solo van a destinos de la lista.',
    allowedMore: 'Hay otros destinos en la lista.',
  },
})
