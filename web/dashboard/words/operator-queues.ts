import { commonWords } from '#/kernel/common-words.ts'
import { counted } from '#/kernel/dictionary.ts'
import { dictionary } from './dictionary.ts'

/** Queues of durable work, signals that wait for a person, and today's load. */
export const operatorQueueWords = dictionary({
  title: ['Filas', 'Queues', 'Colas'],
  queue: ['Fila', 'Queue', 'Cola'],
  names: {
    inbox: [
      'Notificações dos provedores',
      'Notifications from providers',
      'Notificaciones de los proveedores',
    ],
    parked: [
      'Notificações que aguardam uma pessoa',
      'Notifications waiting for a person',
      'Notificaciones que esperan a una persona',
    ],
    deliveries: ['Webhooks aos lojistas', 'Webhooks to merchants', 'Webhooks a los comercios'],
    refunds: commonWords.refunds,
    withdrawals: commonWords.withdrawals,
    checks: ['Consultas aos provedores', 'Queries to providers', 'Consultas a los proveedores'],
    closings: ['Cancelamentos no provedor', 'Cancellations at providers', 'Cancelaciones en el proveedor'],
    captures: ['Capturas', 'Captures', 'Capturas'],
    evidence: ['Defesas de contestações', 'Evidence of disputes', 'Pruebas de disputas'],
    recoveries: ['Recuperações de eventos', 'Event recoveries', 'Recuperaciones de eventos'],
    jobs: ['Tarefas', 'Jobs', 'Tareas'],
  },
  depth: ['Na fila', 'Waiting', 'En cola'],
  due: ['Para agora', 'Due now', 'Para ahora'],
  failing: ['Com falhas', 'With failures', 'Con fallos'],
  oldest: ['Mais antigo', 'Oldest', 'Más antiguo'],
  none: ['A fila está vazia', 'The queue is empty', 'La cola está vacía'],
  noneLead: ['Nada aguarda aqui.', 'Nothing is waiting here.', 'Nada espera aquí.'],
  items: [
    'Primeiro os que mais falharam, depois os mais antigos. No máximo 100.',
    'First those that failed most, then the oldest. At most 100.',
    'Primero los que más fallaron, luego los más antiguos. Como máximo 100.',
  ],
  item: ['Item', 'Item', 'Elemento'],
  fails: (count: string) =>
    counted(
      count,
      [`${count} falha`, `${count} failure`, `${count} fallo`],
      [`${count} falhas`, `${count} failures`, `${count} fallos`],
    ),
  dueAt: ['Previsto para', 'Due', 'Previsto para'],
  parked: [
    'Notificações que não puderam ser processadas',
    'Notifications that could not be processed',
    'Notificaciones que no se pudieron procesar',
  ],
  parkedLead: [
    'Corrija a causa e tente de novo. Descarte só o que não vem de um provedor seu.',
    'Fix the cause and try again. Discard only what does not come from a provider of yours.',
    'Corrija la causa e inténtelo de nuevo. Descarte solo lo que no viene de un proveedor suyo.',
  ],
  parkedNone: [
    'Nenhuma notificação aguarda uma pessoa.',
    'No notification is waiting for a person.',
    'Ninguna notificación espera a una persona.',
  ],
  retry: ['Tentar de novo', 'Try again', 'Intentar de nuevo'],
  retryLead: [
    'Até cinco tentativas. Corrija a causa antes.',
    'Up to five attempts. Fix the cause first.',
    'Hasta cinco intentos. Corrija antes la causa.',
  ],
  retried: [
    'A notificação será processada de novo',
    'The notification will be processed again',
    'La notificación se procesará de nuevo',
  ],
  drop: ['Descartar', 'Discard', 'Descartar'],
  dropLead: [
    'O conteúdo nunca será processado. Isto não pode ser desfeito.',
    'Its content will never be processed. This cannot be undone.',
    'Su contenido nunca se procesará. No se puede deshacer.',
  ],
  dropped: ['A notificação foi descartada', 'The notification was discarded', 'Se descartó la notificación'],
  body: ['Conteúdo, como chegou', 'Content, as it arrived', 'Contenido, como llegó'],
  load: ['Carga', 'Load', 'Carga'],
  loadOf: (minutes: string) => [`Últimos ${minutes} min`, `Last ${minutes} min`, `Últimos ${minutes} min`],
  booked: (transfers: string, batches: string) => [
    `Lançamentos: ${transfers}, em lotes: ${batches}`,
    `Transfers: ${transfers}, in batches: ${batches}`,
    `Registros: ${transfers}, en lotes: ${batches}`,
  ],
  today: ['Hoje (UTC)', 'Today (UTC)', 'Hoy (UTC)'],
  todayOf: (created: string, paid: string) => [
    `Pagamentos criados: ${created}, pagos: ${paid}`,
    `Payments created: ${created}, paid: ${paid}`,
    `Pagos creados: ${created}, pagados: ${paid}`,
  ],
  atLeast: ['pelo menos', 'at least', 'al menos'],
  capacityNote: [
    'Capacidade de máquinas conhecidas: docs/performance.md',
    'Capacity of known machines: docs/performance.md',
    'Capacidad de máquinas conocidas: docs/performance.md',
  ],
})
