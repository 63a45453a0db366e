import { dictionary } from './dictionary.ts'

/** What the operator allows of withdrawals. */
export const withdrawalLimitWords = dictionary({
  limitsLead: [
    'O que o operador permite. Só ele muda os limites e a lista de destinos: peça a ele.',
    'What the operator allows. Only the operator can change the limits and the list of destinations.',
    'Lo que permite el operador. Solo él cambia los límites y la lista de destinos: pídaselo.',
  ],
  limitsNone: ['Nenhum limite', 'No limits', 'Sin límites'],
  limitsNoneLead: [
    'O operador não limita os saques desta conta.',
    'The operator does not limit the withdrawals of this account.',
    'El operador no limita los retiros de esta cuenta.',
  ],
  limitSpent: ['Solicitado hoje (UTC)', 'Requested today (UTC)', 'Solicitado hoy (UTC)'],
  allowed: ['Destinos permitidos', 'Allowed destinations', 'Destinos permitidos'],
  allowedNone: [
    'A lista está vazia. Saques programados só vão a destinos da lista.',
    'The list is empty. Payout schedules go only to destinations on the list.',
    'La lista está vacía. Los retiros programados solo van a destinos de la lista.',
  ],
  allowedMore: [
    'Há outros destinos na lista.',
    'There are further destinations on the list.',
    'Hay otros destinos en la lista.',
  ],
})
