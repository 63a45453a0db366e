import { dictionary } from './dictionary.ts'

/** What is frozen, and freezing. */
export const operatorFreezeWords = dictionary({
  title: ['Bloqueios', 'Freezes', 'Bloqueos'],
  lead: [
    'Enquanto algo está bloqueado, nenhum dinheiro sai por essa forma. O que entra continua sendo creditado.',
    'While something is frozen, no money leaves that way. What comes in is credited as usual.',
    'Mientras algo está bloqueado, no sale dinero por ese medio. Lo que entra se acredita como siempre.',
  ],
  freeze: ['Bloquear', 'Freeze', 'Bloquear'],
  freezeTitle: ['Bloquear saídas', 'Freeze money out', 'Bloquear salidas'],
  freezeLead: [
    'Vale imediatamente, para todos os lojistas. Reembolsos e saques novos são aceitos e aguardam; o que já foi enviado ao provedor continua.',
    'It applies right away, to all merchants. New refunds and withdrawals are accepted and wait; what a provider already has goes ahead.',
    'Vale de inmediato, para todos los comercios. Los reembolsos y retiros nuevos se aceptan y esperan; lo que ya tiene el proveedor continúa.',
  ],
  what: ['O que bloquear', 'What to freeze', 'Qué bloquear'],
  everything: ['Todas as saídas', 'All money out', 'Todas las salidas'],
  everythingHelp: [
    'Reembolsos e saques de todas as formas.',
    'Refunds and withdrawals of every method.',
    'Reembolsos y retiros de todos los medios.',
  ],
  one: ['Uma forma', 'One method', 'Un medio'],
  oneHelp: [
    'Só reembolsos e saques dessa forma.',
    'Only refunds and withdrawals of that method.',
    'Solo reembolsos y retiros de ese medio.',
  ],
  done: ['As saídas foram bloqueadas', 'Money out is frozen', 'Las salidas quedaron bloqueadas'],
  doneSoon: [
    'Bloqueado. O que estava sendo aceito neste instante ainda pode levar um momento.',
    'Frozen. What was being accepted at this very moment may take a moment longer.',
    'Bloqueado. Lo que se aceptaba en este instante puede tardar un momento.',
  ],
  already: [
    'Já estava bloqueado: nada mudou.',
    'It was already frozen: nothing changed.',
    'Ya estaba bloqueado: nada cambió.',
  ],
  lift: ['Desbloquear', 'Unfreeze', 'Desbloquear'],
  liftTitle: ['Desbloquear saídas', 'Unfreeze money out', 'Desbloquear salidas'],
  liftLead: [
    'O que aguarda sai agora. Confirme antes que a causa terminou.',
    'What is waiting leaves now. Make sure first that the cause has ended.',
    'Lo que espera sale ahora. Asegúrese antes de que la causa terminó.',
  ],
  lifted: ['As saídas foram liberadas', 'The freeze has ended', 'Las salidas quedaron liberadas'],
  liftedButOther: [
    'Este bloqueio terminou. Outro ainda impede saídas.',
    'This freeze has ended. Another one still stops money out.',
    'Este bloqueo terminó. Otro todavía impide salidas.',
  ],
  of: ['O que está parado', 'What is stopped', 'Qué está detenido'],
  all: [
    'Todas as saídas de todos os lojistas',
    'All money out, of all merchants',
    'Todas las salidas de todos los comercios',
  ],
  railOf: (name: string) => [
    `${name}, de todos os lojistas`,
    `${name}, of all merchants`,
    `${name}, de todos los comercios`,
  ],
  kinds: {
    FREEZE: ['Saídas bloqueadas', 'Frozen', 'Salidas bloqueadas'],
    SUSPENSION: ['Lojista suspenso', 'Suspended', 'Comercio suspendido'],
    RESTORE: ['Banco de dados restaurado', 'Restored', 'Base de datos restaurada'],
  },
  meaning: {
    FREEZE: [
      'Nenhum dinheiro sai; novos pagamentos continuam.',
      'No money leaves; new payments go on.',
      'No sale dinero; los pagos nuevos siguen.',
    ],
    SUSPENSION: [
      'Nenhum dinheiro sai, e o lojista não recebe novos pagamentos.',
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
    'Desbloqueie na página do lojista',
    'Unfreeze it on the merchant’s page',
    'Desbloquéelo en la página del comercio',
  ],
  none: ['Nada está bloqueado', 'Nothing is frozen', 'Nada está bloqueado'],
  noneLead: [
    'O dinheiro sai normalmente. Para bloquear um só lojista, abra a página dele.',
    'Money leaves as usual. To freeze one merchant, open its page.',
    'El dinero sale con normalidad. Para bloquear un solo comercio, abra su página.',
  ],
})
