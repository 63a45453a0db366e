import { dictionary } from './dictionary.ts'

/** The first screen of the console. */
export const operatorOverviewWords = dictionary({
  title: ['Pendências', 'To do', 'Pendientes'],
  nothing: ['Tudo em dia', 'You’re all caught up', 'Todo al día'],
  nothingLead: [
    'Decisões, dinheiro sem dono, certificados e falhas aparecem aqui.',
    'Decisions, unmatched money, certificates and failures appear here.',
    'Decisiones, dinero sin dueño, certificados y fallas aparecen aquí.',
  ],
  waits: ['Esperam por uma pessoa', 'Waiting for a person', 'Esperan a una persona'],
  counts: {
    approvals: [
      'Pedidos que outra pessoa aprova',
      'Requests that another person approves',
      'Pedidos que otra persona aprueba',
    ],
    suspense: ['Valores sem dono', 'Sums that fit no payment', 'Importes sin dueño'],
    parked: [
      'Avisos que não puderam ser tratados',
      'Signals that could not be settled',
      'Avisos que no se pudieron procesar',
    ],
    typos: [
      'Transferências com erro na referência',
      'Transfers with a typo in the reference',
      'Transferencias con un error en la referencia',
    ],
    held: ['Movimentos bancários retidos', 'Bank movements that are held', 'Movimientos bancarios retenidos'],
    foreign: [
      'Valores em moedas que os livros não têm',
      'Sums in currencies that the books do not have',
      'Importes en monedas que los libros no tienen',
    ],
    paymentFiles: [
      'Arquivos de pagamento por levar ao banco',
      'Payment files to take to the bank',
      'Archivos de pago por llevar al banco',
    ],
    withdrawals: [
      'Saques cujo fim é preciso descobrir',
      'Withdrawals whose end has to be found out',
      'Retiros cuyo fin hay que averiguar',
    ],
    wallets: ['Carteiras paradas', 'Wallets that are stopped', 'Billeteras detenidas'],
  },
  connections: ['Conexões', 'Connections', 'Conexiones'],
  ends: (when: string) => [
    `Um certificado vence em ${when}`,
    `A certificate expires on ${when}`,
    `Un certificado vence el ${when}`,
  ],
  ended: (when: string) => [
    `Um certificado venceu em ${when}`,
    `A certificate expired on ${when}`,
    `Un certificado venció el ${when}`,
  ],
  notAll: [
    'Há mais conexões do que as verificadas aqui.',
    'There are more connections than were looked at.',
    'Hay más conexiones que las revisadas aquí.',
  ],
  failing: ['A última chamada falhou', 'The last call failed', 'La última llamada falló'],
  chains: ['Redes', 'Chains', 'Redes'],
  queues: ['Filas com falhas', 'Queues with failures', 'Colas con fallas'],
  failures: (count: string) => [`${count} falham`, `${count} fail`, `${count} fallan`],
  books: ['Os livros', 'The books', 'Los libros'],
  verified: ['Última conferência', 'Last verified', 'Última verificación'],
  neverVerified: [
    'Os livros ainda não foram conferidos por aqui.',
    'The books were not verified here yet.',
    'Los libros todavía no se verificaron aquí.',
  ],
  verify: ['Conferir agora', 'Verify now', 'Verificar ahora'],
  open: ['Abrir', 'Open', 'Abrir'],
})
