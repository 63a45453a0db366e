import { commonWords } from '#/kernel/common-words.ts'
import { counted } from '#/kernel/dictionary.ts'
import { dictionary } from './dictionary.ts'

/** Queues of durable work, signals that wait for a person, and today's load. */
export const operatorQueueWords = dictionary({
  title: ['Filas', 'Queues', 'Colas'],
  queue: ['Fila', 'Queue', 'Cola'],
  names: {
    inbox: ['Avisos dos provedores', 'Signals from providers', 'Avisos de los proveedores'],
    parked: [
      'Avisos à espera de uma pessoa',
      'Signals that wait for a person',
      'Avisos que esperan a una persona',
    ],
    deliveries: ['Avisos às contas', 'Webhooks to merchants', 'Avisos a los comercios'],
    refunds: commonWords.refunds,
    withdrawals: commonWords.withdrawals,
    checks: ['Consultas aos provedores', 'Questions to providers', 'Consultas a los proveedores'],
    closings: ['Encerramentos', 'Closings', 'Cierres'],
    captures: ['Capturas', 'Captures', 'Capturas'],
    evidence: ['Defesas de contestações', 'Evidence of disputes', 'Pruebas de disputas'],
    recoveries: ['Reenvios', 'Recoveries', 'Reenvíos'],
    jobs: ['Tarefas', 'Jobs', 'Tareas'],
  },
  depth: ['Na fila', 'Waiting', 'En cola'],
  due: ['Na hora', 'Due', 'A tiempo'],
  failing: ['Com falhas', 'Failing', 'Con fallos'],
  oldest: ['Mais antigo', 'Oldest', 'Más antiguo'],
  none: ['A fila está vazia', 'The queue is empty', 'La cola está vacía'],
  noneLead: ['Nada espera aqui.', 'Nothing waits here.', 'Nada espera aquí.'],
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
  dueAt: ['Na hora', 'Due', 'A tiempo'],
  parked: [
    'Avisos que ninguém conseguiu registrar',
    'Signals that could not be settled',
    'Avisos que no se pudieron registrar',
  ],
  parkedLead: [
    'Remova a causa e tente de novo. Descarte só o que não é de nenhum provedor seu.',
    'Remove the cause and try again. Drop only what is of no provider of yours.',
    'Quite la causa e inténtelo de nuevo. Descarte solo lo que no es de ningún proveedor suyo.',
  ],
  parkedNone: [
    'Nenhum aviso espera por uma pessoa.',
    'No signal waits for a person.',
    'Ningún aviso espera a una persona.',
  ],
  retry: ['Tentar de novo', 'Try again', 'Intentar de nuevo'],
  retryLead: [
    'Até cinco tentativas. Remova a causa antes.',
    'Up to five tries. Remove the cause first.',
    'Hasta cinco intentos. Quite antes la causa.',
  ],
  retried: ['O aviso é tentado de novo', 'The signal is tried again', 'El aviso se intenta de nuevo'],
  drop: ['Descartar', 'Drop', 'Descartar'],
  dropLead: [
    'O conteúdo nunca será registrado. Não há volta.',
    'Its content is never settled. This cannot be undone.',
    'Su contenido nunca se registrará. No se puede deshacer.',
  ],
  dropped: ['O aviso foi descartado', 'The signal was dropped', 'El aviso fue descartado'],
  body: ['Conteúdo, como chegou', 'Content, as it came', 'Contenido, como llegó'],
  load: ['Carga', 'Load', 'Carga'],
  loadOf: (minutes: string) => [`Últimos ${minutes} min`, `Last ${minutes} min`, `Últimos ${minutes} min`],
  booked: (transfers: string, batches: string) => [
    `${transfers} lançamentos em ${batches} lotes`,
    `${transfers} transfers in ${batches} batches`,
    `${transfers} asientos en ${batches} lotes`,
  ],
  today: ['Hoje (UTC)', 'Today (UTC)', 'Hoy (UTC)'],
  todayOf: (created: string, paid: string) => [
    `${created} pagamentos criados, ${paid} pagos`,
    `${created} payments created, ${paid} paid`,
    `${created} pagos creados, ${paid} pagados`,
  ],
  atLeast: ['pelo menos', 'at least', 'al menos'],
  capacityNote: [
    'Capacidade de máquinas conhecidas: docs/performance.md',
    'What known machines carry: docs/performance.md',
    'Capacidad de máquinas conocidas: docs/performance.md',
  ],
})
