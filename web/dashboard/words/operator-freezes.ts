import { dictionary } from './dictionary.ts'

/** What is frozen, and freezing. */
export const operatorFreezeWords = dictionary({
  title: ['Congelamentos', 'Freezes', 'Congelaciones'],
  lead: [
    'Enquanto algo está congelado, nenhum dinheiro sai por ali. O que entra continua a ser creditado.',
    'While something is frozen, no money leaves by it. What comes in is credited as before.',
    'Mientras algo está congelado, no sale dinero por ahí. Lo que entra se acredita como siempre.',
  ],
  freeze: ['Congelar', 'Freeze', 'Congelar'],
  freezeTitle: ['Congelar saídas', 'Freeze what leaves', 'Congelar salidas'],
  freezeLead: [
    'Vale já, para todas as contas. Reembolsos e saques novos são aceitos e esperam; o que já foi enviado ao provedor segue.',
    'It applies at once, to all merchants. New refunds and withdrawals are accepted and wait; what a provider has already goes on.',
    'Vale ya, para todos los comercios. Los reembolsos y retiros nuevos se aceptan y esperan; lo que ya tiene el proveedor sigue.',
  ],
  what: ['O que congelar', 'What to freeze', 'Qué congelar'],
  everything: ['Todas as saídas', 'All that leaves', 'Todas las salidas'],
  everythingHelp: [
    'Reembolsos e saques de todos os métodos.',
    'Refunds and withdrawals of every method.',
    'Reembolsos y retiros de todos los métodos.',
  ],
  one: ['Um método', 'One method', 'Un método'],
  oneHelp: [
    'Só reembolsos e saques desse método.',
    'Only refunds and withdrawals of that method.',
    'Solo reembolsos y retiros de ese método.',
  ],
  done: ['As saídas foram congeladas', 'What leaves was frozen', 'Las salidas quedaron congeladas'],
  doneSoon: [
    'Congelado. O que estava sendo aceito neste instante ainda pode levar um momento.',
    'Frozen. What was accepted at this very moment may take a moment longer.',
    'Congelado. Lo que se aceptaba en este instante puede tardar un momento.',
  ],
  already: [
    'Já estava congelado: nada mudou.',
    'It was frozen before: nothing changed.',
    'Ya estaba congelado: nada cambió.',
  ],
  lift: ['Descongelar', 'Lift', 'Descongelar'],
  liftTitle: ['Descongelar saídas', 'Lift the freeze', 'Descongelar salidas'],
  liftLead: [
    'O que espera sai agora. Confirme antes que a causa terminou.',
    'What waits leaves now. Make sure first that the cause has ended.',
    'Lo que espera sale ahora. Asegúrese antes de que la causa terminó.',
  ],
  lifted: ['As saídas foram liberadas', 'The freeze has ended', 'Las salidas quedaron liberadas'],
  liftedButOther: [
    'Este congelamento terminou. Outro ainda impede saídas.',
    'This freeze has ended. Another one still keeps money in.',
    'Esta congelación terminó. Otra todavía impide salidas.',
  ],
  of: ['O que está parado', 'What is stopped', 'Qué está detenido'],
  all: [
    'Todas as saídas de todas as contas',
    'All that leaves, of all merchants',
    'Todas las salidas de todos los comercios',
  ],
  railOf: (name: string) => [
    `${name}, de todas as contas`,
    `${name}, of all merchants`,
    `${name}, de todos los comercios`,
  ],
  kinds: {
    FREEZE: ['Saídas congeladas', 'Frozen', 'Salidas congeladas'],
    SUSPENSION: ['Conta suspensa', 'Suspended', 'Comercio suspendido'],
    RESTORE: ['Banco restaurado', 'Restored', 'Base restaurada'],
  },
  meaning: {
    FREEZE: [
      'Nenhum dinheiro sai; novos pagamentos continuam.',
      'No money leaves; new payments go on.',
      'No sale dinero; los pagos nuevos siguen.',
    ],
    SUSPENSION: [
      'Nenhum dinheiro sai, e a conta não recebe novos pagamentos.',
      'No money leaves, and the merchant gets no new payments.',
      'No sale dinero, y el comercio no recibe pagos nuevos.',
    ],
    RESTORE: [
      'Nenhum dinheiro sai até o fim do reparo: ./vintem restored open.',
      'No money leaves until the repair ends: ./vintem restored open.',
      'No sale dinero hasta el fin de la reparación: ./vintem restored open.',
    ],
  },
  atMerchant: [
    'Termina na página da conta',
    'It is lifted on the merchant’s page',
    'Se levanta en la página del comercio',
  ],
  none: ['Nada está congelado', 'Nothing is frozen', 'Nada está congelado'],
  noneLead: [
    'O dinheiro sai normalmente. Para parar uma só conta, abra a página dela.',
    'Money leaves as usual. To stop one merchant, open its page.',
    'El dinero sale con normalidad. Para detener un solo comercio, abra su página.',
  ],
})
